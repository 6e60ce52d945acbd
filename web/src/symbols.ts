/** Signs outside the Latin letters that the page may show: the build cuts a font with just these. */
export const SYMBOLS = "⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉←↑→↓↔↕↖↗↘↙↩↪↺↻∅−≈≠≤≥∞■□▪▫▲△▴▵▶▷▸▹►▼▽▾▿◀◁◂◃◄◆◇●○◉◎★☆☐☑☒⚑⚐⚔⚠⚡✓✔✕✖✗✘✚✦⏎⌖⌂";
