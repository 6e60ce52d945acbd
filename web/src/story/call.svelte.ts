/**
 * Calls a player whose page is hidden when it is his move: by a notification, where he allowed that. He is asked once, by
 * a press of his own; the menu has the switch afterwards.
 */

const KEY = "sandtable.call";

export class Call {
  /** `""`: he was not asked yet. */
  choice: "" | "on" | "off" = $state((localStorage.getItem(KEY) as "on" | "off" | null) ?? "");

  /** Whether the browser can call at all. */
  get isPossible(): boolean {
    return typeof Notification !== "undefined" && Notification.permission !== "denied";
  }

  get isOn(): boolean {
    return this.choice === "on" && typeof Notification !== "undefined" && Notification.permission === "granted";
  }

  /** Whether he may be asked now. */
  get isOpen(): boolean {
    return this.choice === "" && this.isPossible;
  }

  /** His answer; only a yes is passed on to the browser, which asks in turn. */
  async choose(wants: boolean): Promise<void> {
    const granted = wants && this.isPossible && (await Notification.requestPermission()) === "granted";
    this.choice = granted ? "on" : "off";
    localStorage.setItem(KEY, this.choice);
  }

  /** It is his move: he is called if he does not see the page. */
  turn(title: string, question: string): void {
    if (!this.isOn || !document.hidden) return;
    const note = new Notification(title, { body: question, tag: "sandtable-your-move" });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  }
}

export const call = new Call();
