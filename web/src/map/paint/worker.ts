/** Paints tiles away from the page's thread, so that the map keeps moving under the finger. */

import { lettersLoaded } from "./letters";
import { Painter } from "./painter";
import type { MapSource } from "./source";

export type ToWorker =
  | { what: "map"; source: MapSource; isDark: boolean; epoch: number }
  | { what: "tile"; scale: number; column: number; row: number; epoch: number };

export type FromWorker = { scale: number; column: number; row: number; epoch: number; bitmap: ImageBitmap } | { ready: number };

const letters = lettersLoaded(self as unknown as { fonts: FontFaceSet });
let painter: Painter | null = null;
let epoch = -1;

const post = (message: FromWorker, transfer: Transferable[] = []): void => (self as unknown as Worker).postMessage(message, transfer);

self.onmessage = async (event: MessageEvent<ToWorker>): Promise<void> => {
  const message = event.data;
  // Messages wait here in their order.
  await letters;
  if (message.what === "map") {
    painter = new Painter(message.source, message.isDark);
    epoch = message.epoch;
    post({ ready: epoch });
  } else if (painter && message.epoch === epoch) {
    const bitmap = painter.tile(message.scale, message.column, message.row).transferToImageBitmap();
    post({ scale: message.scale, column: message.column, row: message.row, epoch, bitmap }, [bitmap]);
  }
};
