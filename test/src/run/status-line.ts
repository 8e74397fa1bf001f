export type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const redrawMs = 200
const logMs = 30_000
const clear = '\r\x1b[K'

/** On a terminal one line that is redrawn below what is printed; in a log a line every half minute. */
export class StatusLine {
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly out: Output,
    private readonly text: () => string,
  ) {}

  start(): void {
    if (this.#timer) return
    this.#timer = setInterval(() => this.#show(), this.out.isTTY ? redrawMs : logMs)
    if (this.out.isTTY) this.#show()
  }

  /** Prints lines above it. */
  print(text: string): void {
    const isShown = this.out.isTTY && this.#timer
    this.out.write(`${isShown ? clear : ''}${text}\n`)
    if (isShown) this.#show()
  }

  /** Leaves nothing of it behind on a terminal. */
  stop(): void {
    if (!this.#timer) return
    clearInterval(this.#timer)
    this.#timer = undefined
    if (this.out.isTTY) this.out.write(clear)
  }

  #show(): void {
    // A line that wraps cannot be cleared.
    if (this.out.isTTY) this.out.write(clear + this.text().slice(0, (this.out.columns ?? 80) - 1))
    else this.out.write(`${this.text()}\n`)
  }
}
