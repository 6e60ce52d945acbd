/** The part of subset-font that is used; it brings no types. */
declare module "subset-font" {
  export default function subset(font: Uint8Array, text: string, options: { targetFormat: "woff2" }): Promise<Uint8Array>;
}
