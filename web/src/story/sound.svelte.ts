/** Short sounds, made by the page itself: no file is loaded. A switch turns them off; the choice is kept. */

export type Cue = "fire" | "hit" | "move" | "turn";

const KEY = "sandtable.sound";
const LOUDNESS = 0.16;

/** A tone or a hiss: from when, how long, how high it begins and ends, how loud. */
interface Part {
  wave: OscillatorType | "noise";
  from: number;
  length: number;
  high: number;
  low: number;
  gain: number;
}

const CUES: Record<Cue, readonly Part[]> = {
  fire: [{ wave: "noise", from: 0, length: 0.16, high: 2400, low: 300, gain: 1 }],
  hit: [
    { wave: "noise", from: 0, length: 0.34, high: 900, low: 90, gain: 1 },
    { wave: "sine", from: 0, length: 0.3, high: 120, low: 42, gain: 1 },
  ],
  move: [
    { wave: "triangle", from: 0, length: 0.06, high: 170, low: 120, gain: 0.6 },
    { wave: "triangle", from: 0.09, length: 0.06, high: 150, low: 110, gain: 0.5 },
  ],
  turn: [
    { wave: "sine", from: 0, length: 0.18, high: 660, low: 660, gain: 0.6 },
    { wave: "sine", from: 0.14, length: 0.3, high: 880, low: 880, gain: 0.6 },
  ],
};

export class Sounds {
  isOn = $state(localStorage.getItem(KEY) !== "off");
  private context: AudioContext | null = null;

  toggle(): void {
    this.isOn = !this.isOn;
    localStorage.setItem(KEY, this.isOn ? "on" : "off");
    if (this.isOn) this.play("turn");
  }

  play(cue: Cue): void {
    if (!this.isOn || typeof AudioContext === "undefined") return;
    this.context ??= new AudioContext();
    // A browser keeps a page silent until somebody has pressed something in it.
    if (this.context.state === "suspended") void this.context.resume();
    for (const part of CUES[cue]) this.sound(this.context, part);
  }

  private sound(context: AudioContext, part: Part): void {
    const [start, end] = [context.currentTime + part.from, context.currentTime + part.from + part.length];
    const volume = context.createGain();
    volume.gain.setValueAtTime(LOUDNESS * part.gain, start);
    volume.gain.exponentialRampToValueAtTime(0.0001, end);
    volume.connect(context.destination);
    if (part.wave === "noise") {
      const hiss = context.createBufferSource();
      hiss.buffer = noise(context, part.length);
      const filter = context.createBiquadFilter();
      filter.type = "lowpass";
      filter.frequency.setValueAtTime(part.high, start);
      filter.frequency.exponentialRampToValueAtTime(part.low, end);
      hiss.connect(filter).connect(volume);
      hiss.start(start);
      return;
    }
    const tone = context.createOscillator();
    tone.type = part.wave;
    tone.frequency.setValueAtTime(part.high, start);
    tone.frequency.exponentialRampToValueAtTime(part.low, end);
    tone.connect(volume);
    tone.start(start);
    tone.stop(end);
  }
}

const noise = (context: AudioContext, seconds: number): AudioBuffer => {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * seconds), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
};

export const sounds = new Sounds();
