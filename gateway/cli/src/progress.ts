import { SingleBar } from 'cli-progress'
import { fail } from './failure.js'
import { dim, green, printLine } from './output.js'
import type { Outcome } from './publish-groups.js'
import { plain } from './text.js'

/** Shows how far a publication is. A bar on a terminal, otherwise a line for each figure; with `json`, only errors. */
export type Progress = {
  begin(figures: number, bytes: number): void
  sent(bytes: number): void
  done(outcome: Outcome): void
  failed(name: string, error: unknown): void
  end(): void
  /** Of the first figure that failed. */
  readonly error: unknown
}

export const createProgress = (json: boolean): Progress =>
  process.stderr.isTTY && !json ? new Bar() : createLines(json)

export const createLines = (json: boolean): Progress => new Lines(json)

class Lines implements Progress {
  error: unknown
  constructor(readonly json: boolean) {}
  begin() {}
  sent() {}
  done(outcome: Outcome) {
    if (!this.json) printOutcome(outcome)
  }
  failed(name: string, error: unknown) {
    this.error ??= error
    fail(error, this.json, name)
  }
  end() {}
}

/** Lines would go through the bar, so that they are printed at the end. */
class Bar implements Progress {
  error: unknown
  readonly #atEnd: (() => void)[] = []
  readonly #shown = { done: 0, figures: 0, name: '' }
  readonly #bar = new SingleBar({
    format: '{bar} {percentage}%  {done}/{figures}  {name}',
    stream: process.stderr,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    // It would keep SIGTERM from ending the process.
    gracefulExit: false,
  })
  #total = 0

  /** Several times, for one folder after the other. */
  begin(figures: number, bytes: number) {
    this.#shown.figures += figures
    this.#total += bytes
    if (this.#bar.isActive) this.#bar.setTotal(this.#total)
    else this.#bar.start(this.#total, 0, this.#shown)
  }
  sent(bytes: number) {
    this.#bar.increment(bytes)
  }
  done(outcome: Outcome) {
    this.#step(outcome.name)
    // Of many figures, the bar and the sum say enough.
    this.#atEnd.push(() => this.#shown.figures === 1 && printOutcome(outcome))
  }
  failed(name: string, error: unknown) {
    this.error ??= error
    this.#step(name)
    this.#atEnd.push(() => fail(error, false, name))
  }
  end() {
    this.#bar.stop()
    for (const print of this.#atEnd) print()
  }
  #step(name: string) {
    this.#shown.done++
    this.#shown.name = plain(name)
    this.#bar.update(this.#shown)
  }
}

function printOutcome({ name, is_new, url }: Outcome): void {
  const what = is_new ? green('published') : dim('unchanged')
  printLine(`${what}  ${plain(name)}  ${plain(url)}`)
}
