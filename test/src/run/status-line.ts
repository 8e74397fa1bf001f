export type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const redrawMs = 200
const logMs = 30_000
const clear = '\r\x1b[K'

/** A status line: on a terminal, redrawn below other output; in a log, printed every 30 s. */
export class StatusLine {
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly out: Output,
    private readonly text: () => string,
  ) {}

  start(): void {
    if (this.#timer) return
    this.#timer = setInterval(() => this.#draw(), this.out.isTTY ? redrawMs : logMs)
    if (this.out.isTTY) this.#draw()
  }

  /** Prints text above the status line. */
  print(text: string): void {
    const isShown = this.out.isTTY && this.#timer
    this.out.write(`${isShown ? clear : ''}${text}\n`)
    if (isShown) this.#draw()
  }

  /** Stops updates, and clears the line on a terminal. */
  stop(): void {
    if (!this.#timer) return
    clearInterval(this.#timer)
    this.#timer = undefined
    if (this.out.isTTY) this.out.write(clear)
  }

  #draw(): void {
    // A line that wraps cannot be cleared.
    if (this.out.isTTY) this.out.write(clear + this.text().slice(0, (this.out.columns ?? 80) - 1))
    else this.out.write(`${this.text()}\n`)
  }
}
