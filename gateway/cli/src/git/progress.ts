import { MultiBar } from 'cli-progress'
import { note } from '../output.js'
import { plain } from '../text.js'

/** Shows how far an import is, beside the output. A bar below its lines on a terminal, otherwise only its lines. */
export type ImportProgress = {
  step(percent: number, message: string): void
  line(text: string): void
  end(): void
}

export const createImportProgress = (): ImportProgress =>
  process.stderr.isTTY ? createBar() : { step() {}, line: (text) => note(plain(text)), end() {} }

function createBar(): ImportProgress {
  const bars = new MultiBar({
    format: '{bar} {percentage}%  {message}',
    stream: process.stderr,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    clearOnComplete: true,
    linewrap: true,
    // A line takes the place of the bar.
    forceRedraw: true,
    // It would keep SIGTERM from ending the process.
    gracefulExit: false,
  })
  const bar = bars.create(100, 0, { message: '' })
  return {
    step: (percent, message) => bar.update(percent, { message: plain(message) }),
    line: (text) => bars.log(`${plain(text)}\n`),
    end() {
      // Prints the last lines.
      bars.update()
      bars.stop()
    },
  }
}
