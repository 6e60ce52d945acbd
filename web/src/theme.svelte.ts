/** Light or dark: as the system has it, unless the player chose. */

type Choice = "auto" | "light" | "dark";

const KEY = "sandtable-theme";

class Theme {
  choice: Choice = $state.raw("auto");
  private system = $state.raw(matchMedia("(prefers-color-scheme: dark)").matches);

  constructor() {
    const kept = localStorage.getItem(KEY);
    if (kept === "light" || kept === "dark") this.choice = kept;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => (this.system = event.matches));
  }

  readonly isDark = $derived(this.choice === "auto" ? this.system : this.choice === "dark");

  toggle(): void {
    this.choice = this.isDark ? "light" : "dark";
    localStorage.setItem(KEY, this.choice);
  }
}

export const theme = new Theme();

const PHONE = matchMedia("(max-width: 760px)");

class Window {
  isPhone = $state.raw(PHONE.matches);

  constructor() {
    PHONE.addEventListener("change", (event) => (this.isPhone = event.matches));
  }
}

export const screen = new Window();
