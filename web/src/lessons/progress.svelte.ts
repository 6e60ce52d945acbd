/** How far this visitor has come in each lesson, kept in the browser. */

const KEPT = "sandtable.lessons";

export interface Progress {
  step: number;
  isDone: boolean;
}

const read = (): Record<string, Progress> => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return kept && typeof kept === "object" ? (kept as Record<string, Progress>) : {};
  } catch {
    return {};
  }
};

class LessonProgress {
  private kept: Record<string, Progress> = $state.raw(read());

  of(lesson: string): Progress {
    return this.kept[lesson] ?? { step: 0, isDone: false };
  }

  keep(lesson: string, step: number, steps: number): void {
    const before = this.of(lesson);
    this.kept = { ...this.kept, [lesson]: { step, isDone: before.isDone || step === steps - 1 } };
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.kept));
    } catch {
      // A browser that keeps nothing still gives the lesson.
    }
  }
}

export const lessonProgress = new LessonProgress();
