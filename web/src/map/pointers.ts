/** Mouse, pen and fingers on the map: drag to pan, pinch or wheel to zoom, tap to choose. */

export interface PointerHandlers {
  pan: (dx: number, dy: number) => void;
  zoom: (px: number, py: number, factor: number) => void;
  /** Whether what is pressed is taken in hand: then it is dragged, and the map stays. */
  grab: (px: number, py: number, target: Element | null) => boolean;
  drag: (px: number, py: number) => void;
  drop: () => void;
  tap: (px: number, py: number, target: Element | null) => void;
  hover: (px: number, py: number, target: Element | null) => void;
  leave: () => void;
}

const SLOP = 7;

export class Pointers {
  private readonly active = new Map<number, { x: number; y: number }>();
  private start: { x: number; y: number; target: Element | null } | null = null;
  private hasMoved = false;
  private isGrabbed = false;
  private readonly abort = new AbortController();

  constructor(
    private readonly box: HTMLElement,
    private readonly handlers: PointerHandlers,
  ) {
    const on = <K extends keyof HTMLElementEventMap>(name: K, run: (event: HTMLElementEventMap[K]) => void, passive = true): void =>
      box.addEventListener(name, run, { signal: this.abort.signal, passive });
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.moved(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.end(event));
    on("pointerleave", (event) => {
      if (event.pointerType === "mouse" && !this.active.size) handlers.leave();
    });
    on("wheel", (event) => this.wheel(event), false);
    // A finger that lets go in motion is no flick of the page: the browser would take the next tap for a stop to it.
    on("touchmove", (event) => event.preventDefault(), false);
    // A click that no pointer made: from a screen reader or a script.
    on("click", (event) => {
      if (event.detail === 0) this.handlers.tap(...this.centreOf(event.target as Element), event.target as Element);
    });
  }

  close(): void {
    this.abort.abort();
  }

  private at(event: MouseEvent): [number, number] {
    const rect = this.box.getBoundingClientRect();
    return [event.clientX - rect.left, event.clientY - rect.top];
  }

  private centreOf(element: Element): [number, number] {
    const [rect, own] = [element.getBoundingClientRect(), this.box.getBoundingClientRect()];
    return [rect.left + rect.width / 2 - own.left, rect.top + rect.height / 2 - own.top];
  }

  private down(event: PointerEvent): void {
    if (event.button > 1) return;
    const [x, y] = this.at(event);
    if (!this.active.size) {
      this.start = { x, y, target: event.target as Element };
      this.hasMoved = false;
      this.isGrabbed = this.handlers.grab(x, y, event.target as Element);
    } else this.release();
    this.active.set(event.pointerId, { x, y });
    this.box.setPointerCapture(event.pointerId);
  }

  private moved(event: PointerEvent): void {
    const [x, y] = this.at(event);
    const before = this.active.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") this.handlers.hover(x, y, event.target as Element);
      return;
    }
    if (!this.hasMoved && this.active.size === 1 && this.start && Math.hypot(x - this.start.x, y - this.start.y) < SLOP) return;
    this.hasMoved = true;
    this.box.classList.add("dragging");
    if (this.isGrabbed) {
      this.handlers.drag(x, y);
      this.active.set(event.pointerId, { x, y });
      return;
    }
    if (this.active.size === 1) {
      this.handlers.pan(x - before.x, y - before.y);
    } else {
      const [other] = [...this.active].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
      if (other) {
        const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(x - other.x, y - other.y)];
        this.handlers.pan((x - before.x) / 2, (y - before.y) / 2);
        if (was > 0) this.handlers.zoom((x + other.x) / 2, (y + other.y) / 2, is / was);
      }
    }
    this.active.set(event.pointerId, { x, y });
  }

  private up(event: PointerEvent): void {
    const start = this.start;
    const isTap = this.active.size === 1 && !this.hasMoved && !this.isGrabbed && start !== null;
    this.end(event);
    if (isTap) this.handlers.tap(start.x, start.y, start.target);
  }

  /** What was in hand lies where it was dragged to; a second finger means the map. */
  private release(): void {
    if (this.isGrabbed) this.handlers.drop();
    this.isGrabbed = false;
  }

  private end(event: PointerEvent): void {
    this.release();
    this.active.delete(event.pointerId);
    if (!this.active.size) {
      this.start = null;
      this.box.classList.remove("dragging");
    }
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const [x, y] = this.at(event);
    const unit = event.deltaMode === 1 ? 24 : event.deltaMode === 2 ? 240 : 1;
    this.handlers.zoom(x, y, Math.exp((-event.deltaY * unit * (event.ctrlKey ? 4 : 1)) / 700));
  }
}
