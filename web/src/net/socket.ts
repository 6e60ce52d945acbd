/**
 * A table's WebSocket: numbered questions and answers, and a connection that comes back by itself.
 *
 * An action whose answer was lost with the connection is sent again after the next snapshot. That is safe: it carries
 * the version that it was made against, so if it had arrived the server answers `Stale` and applies nothing.
 */

import type { ClientMessage, ServerMessage } from "../wire.gen";
import { api } from "./api";

export type Reply = Extract<ServerMessage, { re: number | null }>;
type Question = ClientMessage extends infer M ? (M extends { id: number } ? Omit<M, "id"> : never) : never;

interface Waiting {
  message: ClientMessage;
  /** Whether it was sent again after a lost connection: then `Stale` means that it had arrived the first time. */
  isResent: boolean;
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

export interface SocketHandlers {
  message: (message: ServerMessage) => void;
  status: (status: "open" | "lost" | "refused", reason: string) => void;
}

/** Messages that are worth sending again when the connection was lost under them. */
const LASTING = new Set(["Act", "Undo", "ConsentUndo", "Say", "Resign", "HandOver"]);

export const NO_CONNECTION = "There is no connection to the server just now; it is being tried again.";

export class TableSocket {
  private socket: WebSocket | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private attempt = 0;
  private timer = 0;
  private isClosed = false;
  private hasSnapshot = false;
  private readonly wake = (): void => {
    if (!this.isClosed && this.socket?.readyState !== WebSocket.OPEN) this.connect();
  };

  constructor(
    private readonly table: string,
    private seat: string | null,
    private readonly handlers: SocketHandlers,
  ) {
    window.addEventListener("online", this.wake);
    this.connect();
  }

  /** The seat to come back to after a lost connection. */
  remember(seat: string): void {
    this.seat = seat;
  }

  ask(question: Question): Promise<Reply> {
    const message = { ...question, id: this.nextId++ } as ClientMessage;
    return new Promise((resolve, reject) => {
      this.waiting.set(message.id, { message, isResent: false, resolve, reject });
      if (this.hasSnapshot) this.send(message);
      else if (!LASTING.has(message.type)) this.give(message.id, new Error(NO_CONNECTION));
    });
  }

  /** Says something that is answered by a snapshot, not by a reply. */
  tell(message: { type: "Sit"; seat: string } | { type: "Resync" }): void {
    this.send({ ...message, id: this.nextId++ });
  }

  close(): void {
    this.isClosed = true;
    window.removeEventListener("online", this.wake);
    window.clearTimeout(this.timer);
    this.socket?.close();
  }

  private give(id: number, error: Error): void {
    this.waiting.get(id)?.reject(error);
    this.waiting.delete(id);
  }

  private send(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private connect(): void {
    window.clearTimeout(this.timer);
    this.hasSnapshot = false;
    const socket = new WebSocket(api.socketUrl(this.table, this.seat));
    this.socket?.close();
    this.socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data) as ServerMessage);
    };
    socket.onclose = (event) => {
      if (socket !== this.socket || this.isClosed) return;
      this.lost(event);
    };
  }

  private lost(event: CloseEvent): void {
    this.hasSnapshot = false;
    for (const { message } of [...this.waiting.values()]) {
      if (!LASTING.has(message.type)) this.give(message.id, new Error(NO_CONNECTION));
    }
    if (event.code === 4403 || event.code === 4404) return this.handlers.status("refused", event.reason || "This table is not open to you.");
    this.handlers.status("lost", event.reason);
    const pause = Math.min(8000, 250 * 2 ** this.attempt++) * (0.8 + Math.random() * 0.4);
    this.timer = window.setTimeout(() => this.connect(), pause);
  }

  private receive(message: ServerMessage): void {
    if (message.type === "Snapshot") this.greeted();
    if ("re" in message && message.re !== null) {
      const waiting = this.waiting.get(message.re);
      this.waiting.delete(message.re);
      const isOldNews = message.type === "Stale" && waiting?.isResent;
      waiting?.resolve(isOldNews ? { type: "Done", re: message.re, v: message.v } : (message as Reply));
      return;
    }
    this.handlers.message(message);
  }

  private greeted(): void {
    if (this.hasSnapshot) return;
    this.hasSnapshot = true;
    this.attempt = 0;
    this.handlers.status("open", "");
    for (const one of this.waiting.values()) {
      one.isResent = true;
      this.send(one.message);
    }
  }
}
