import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Call } from "./call.svelte";
import { Pace } from "./pace.svelte";
import { type Cue, Sounds } from "./sound.svelte";
import { cueOf } from "./hearing";

const noted: { title: string; body: string }[] = [];

class FakeNotification {
  static permission = "default";
  static asked = 0;
  static async requestPermission(): Promise<string> {
    this.asked++;
    return (this.permission = "granted");
  }
  onclick: (() => void) | null = null;
  constructor(title: string, { body }: { body: string }) {
    noted.push({ title, body });
  }
}

let started = 0;
const param = { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined };
const part = (): object => ({ gain: param, frequency: param, connect: (next: object) => next, start: () => started++, stop: () => undefined });

class FakeAudio {
  static made = 0;
  state = "running";
  currentTime = 0;
  sampleRate = 8000;
  destination = {};
  constructor() {
    FakeAudio.made++;
  }
  createGain = part;
  createOscillator = part;
  createBiquadFilter = part;
  createBufferSource = part;
  createBuffer = (_: number, length: number): object => ({ getChannelData: () => new Float32Array(length) });
}

const hide = (isHidden: boolean): void => void Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });

beforeEach(() => {
  localStorage.clear();
  noted.length = started = FakeAudio.made = FakeNotification.asked = 0;
  FakeNotification.permission = "default";
  vi.stubGlobal("Notification", FakeNotification);
  vi.stubGlobal("AudioContext", FakeAudio);
});
afterEach(() => {
  vi.unstubAllGlobals();
  hide(false);
});

describe("sounds", () => {
  test("every cue is made by the page itself", () => {
    const sounds = new Sounds();
    for (const cue of ["fire", "hit", "move", "turn"] satisfies Cue[]) {
      const before = started;
      sounds.play(cue);
      expect(started).toBeGreaterThan(before);
    }
    expect(FakeAudio.made).toBe(1);
  });

  test("the switch silences them, and is kept", () => {
    const sounds = new Sounds();
    sounds.toggle();
    sounds.play("fire");
    expect(started).toBe(0);
    expect(new Sounds().isOn).toBe(false);
    sounds.toggle();
    expect(new Sounds().isOn).toBe(true);
  });

  test("a browser without sound does without", () => {
    vi.stubGlobal("AudioContext", undefined);
    expect(() => new Sounds().play("hit")).not.toThrow();
  });

  test("fire, hits and moves sound different", () => {
    const beat = (told: object): Parameters<typeof cueOf>[0] => ({ told: { lines: [], came_off: null, ...told } }) as unknown as Parameters<typeof cueOf>[0];
    expect(cueOf(beat({ kind: "fire" }))).toBe("fire");
    expect(cueOf(beat({ kind: "move" }))).toBe("move");
    expect(cueOf(beat({ kind: "effect" }))).toBe("hit");
    expect(cueOf(beat({ kind: "phase" }))).toBeNull();
  });
});

describe("the call", () => {
  test("is asked for once, by a press, and kept", async () => {
    const call = new Call();
    expect(call.isOpen).toBe(true);
    expect(FakeNotification.asked).toBe(0);
    await call.choose(true);
    expect(FakeNotification.asked).toBe(1);
    expect(call.isOn).toBe(true);
    expect(new Call().isOpen).toBe(false);
  });

  test("a no is not passed on to the browser, and not asked again", async () => {
    const call = new Call();
    await call.choose(false);
    expect(FakeNotification.asked).toBe(0);
    expect(new Call().isOpen).toBe(false);
    call.turn("Your move", "Fire");
    expect(noted).toEqual([]);
  });

  test("comes only to a page that is hidden", async () => {
    const call = new Call();
    await call.choose(true);
    call.turn("Your move", "Fire");
    expect(noted).toEqual([]);
    hide(true);
    call.turn("Your move", "Fire");
    expect(noted).toEqual([{ title: "Your move", body: "Fire" }]);
  });
});

describe("pace", () => {
  const media = (isCalm: boolean): void => vi.stubGlobal("matchMedia", () => ({ matches: isCalm })) as unknown as void;

  test("whoever wants little motion gets the end at once, unless he chose otherwise", () => {
    media(true);
    const pace = new Pace();
    expect(pace.speed).toBe("at once");
    pace.choose("quick");
    expect(new Pace().speed).toBe("quick");
    localStorage.clear();
    media(false);
    expect(new Pace().speed).toBe("normal");
  });
});
