import { inspect } from 'node:util'
import { type Output, StatusLine } from './status-line.js'

/** The parts of the `node:test` events that are used here. */
export type TestEvent = {
  type: string
  data: {
    name?: string
    file?: string
    line?: number
    nesting?: number
    skip?: unknown
    todo?: unknown
    message?: string
    details?: { type?: string; duration_ms?: number; error?: unknown }
  }
}

export type Tally = { passed: number; failed: number; skipped: number }

type Options = { out: Output; tally: Tally; root: string }
type Report = { passed: number; failed: number; ms: number; figures: string[]; output: string }
type TestError = { failureType?: string; cause?: unknown }

/** Reports test files while they run: failures in full at once, a summary line when a file ends. */
export class Reporter {
  readonly #reports = new Map<string, Report>()
  readonly #began = Date.now()
  readonly #status: StatusLine
  readonly #failures: string[] = []
  #files = 0
  #filesDone = 0

  constructor(private readonly options: Options) {
    this.#status = new StatusLine(options.out, () => this.#progress())
  }

  /** Announces the number of files. */
  expect(files: number): void {
    this.#files += files
  }

  start(): void {
    this.#status.start()
  }

  stop(): void {
    this.#status.stop()
  }

  /** The number of files and the elapsed time. */
  summary(): string {
    return `${this.#filesDone} of ${this.#files} files in ${elapsed(Date.now() - this.#began)}`
  }

  /** All failures, to repeat them at the end of a long log. */
  failures(): string[] {
    return this.#failures
  }

  beginFile(file: string): void {
    this.#reports.set(file, { passed: 0, failed: 0, ms: 0, figures: [], output: '' })
  }

  event(file: string, { type, data }: TestEvent): void {
    const report = this.#reports.get(file)
    if (!report) throw new Error(`${file} has not been started`)
    if (type === 'test:pass' || type === 'test:fail') this.#count(file, report, type, data)
    // Only diagnostics of tests, not of the runner.
    else if (type === 'test:diagnostic' && data.file) report.figures.push(data.message ?? '')
    else if (type === 'test:stdout' || type === 'test:stderr') report.output += data.message ?? ''
  }

  endFile(file: string): void {
    const report = this.#reports.get(file)
    if (!report) throw new Error(`${file} has not been started`)
    this.#reports.delete(file)
    this.#filesDone++
    const { passed, failed, ms, figures, output } = report
    const counts = failed > 0 ? `${failed} failed, ${passed} passed` : `${passed} passed`
    const lines = [`${failed > 0 ? '✗' : '✓'} ${file}: ${counts} (${(ms / 1000).toFixed(1)} s)`]
    lines.push(...figures.map(indent))
    if (failed > 0 && output.trim()) lines.push(indent(output.trimEnd()))
    this.#status.print(lines.join('\n'))
  }

  #count(file: string, report: Report, type: string, data: TestEvent['data']): void {
    const { tally } = this.options
    const { details } = data
    if (data.nesting === 0) report.ms += details?.duration_ms ?? 0
    if (data.skip !== undefined || data.todo !== undefined) tally.skipped++
    else if (type === 'test:fail' && isOwnFailure(details?.error)) {
      tally.failed++
      report.failed++
      this.#fail(file, report, data)
    } else if (type === 'test:pass' && details?.type !== 'suite') {
      tally.passed++
      report.passed++
    }
  }

  #fail(file: string, report: Report, data: TestEvent['data']): void {
    const output = report.output.trim() ? `\n${indent(report.output.trimEnd())}` : ''
    report.output = ''
    const failure = `✗ ${file}: ${this.#describe(data)}`
    this.#failures.push(firstLines(failure))
    this.#status.print(`${failure}${output}`)
  }

  #describe({ name = '', details, line, file }: TestEvent['data']): string {
    const error = details?.error as TestError | undefined
    const text = textOf(error?.cause ?? error)
    const { root } = this.options
    const at = file?.endsWith('.ts') ? `\n    at ${file.replace(`${root}/`, '')}:${line}` : ''
    const hint = /timed out/.test(text) ? '\nDoes the test leave resources open?' : ''
    return `${name.replace(`${root}/`, '')}${at}\n${indent(text + hint)}`
  }

  #progress(): string {
    const { passed, failed } = this.options.tally
    const running = [...this.#reports.keys()].join(', ')
    return `… ${this.summary()}, ${passed} passed, ${failed} failed${running && `; now ${running}`}`
  }
}

// A parent fails with its subtests; report only those.
const isOwnFailure = (error: unknown) =>
  (error as TestError | undefined)?.failureType !== 'subtestsFailed'

function textOf(cause: unknown): string {
  if (typeof cause === 'string') return cause
  const { code, stack } = (cause ?? {}) as { code?: string; stack?: string }
  return code === 'ERR_ASSERTION' && stack ? stack : inspect(cause)
}

function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const repeatedLines = 30

const firstLines = (text: string) => text.split('\n').slice(0, repeatedLines).join('\n')

const indent = (text: string) => text.replace(/^/gm, '    ')
