import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Reporter, type TestEvent } from './reporter.js'

class FakeOutput {
  text = ''
  constructor(
    readonly isTTY: boolean,
    readonly columns = 100,
  ) {}
  write(text: string) {
    this.text += text
  }
  /** The lines as a terminal shows them. */
  get screen(): string[] {
    const lines = this.text.split('\n')
    return lines.map((line) => line.slice(line.lastIndexOf('\r\x1b[K') + 1).replace('\x1b[K', ''))
  }
  /** The output since the last call. */
  take(): string {
    const { text } = this
    this.text = ''
    return text
  }
}

const newReporter = (out: FakeOutput) => {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  return { tally, reporter: new Reporter({ out, tally, root: '/repo' }) }
}
const pass = (name: string, more = {}): TestEvent => ({
  type: 'test:pass',
  data: { name, nesting: 0, details: { type: 'test', duration_ms: 1500 }, ...more },
})
const fail = (name: string, error: unknown): TestEvent => ({
  type: 'test:fail',
  data: {
    name,
    file: '/repo/a.test.ts',
    line: 7,
    nesting: 0,
    details: { error, duration_ms: 500 },
  },
})

beforeEach(() => mock.timers.enable({ apis: ['setInterval', 'Date'], now: 0 }))
afterEach(() => mock.timers.reset())

test('prints failures at once, with the output of the test', () => {
  const out = new FakeOutput(false)
  const { reporter, tally } = newReporter(out)
  reporter.beginFile('a.test.ts')
  reporter.event('a.test.ts', pass('first'))
  reporter.event('a.test.ts', { type: 'test:stderr', data: { message: 'seen before\n' } })
  assert.equal(out.take(), '')
  reporter.event('a.test.ts', fail('second', { cause: 'no luck' }))
  assert.equal(
    out.take(),
    '✗ a.test.ts: second\n    at a.test.ts:7\n    no luck\n    seen before\n',
  )
  reporter.event('a.test.ts', fail('parent', { failureType: 'subtestsFailed' }))
  reporter.event('a.test.ts', { type: 'test:stdout', data: { message: 'seen after\n' } })
  reporter.endFile('a.test.ts')
  assert.equal(out.take(), '✗ a.test.ts: 1 failed, 1 passed (2.5 s)\n    seen after\n')
  assert.deepEqual(tally, { passed: 1, failed: 1, skipped: 0 })
  assert.deepEqual(reporter.failures(), ['✗ a.test.ts: second\n    at a.test.ts:7\n    no luck'])
})

test('prints one line for a passing file, with its diagnostics and without its output', () => {
  const out = new FakeOutput(false)
  const { reporter, tally } = newReporter(out)
  reporter.beginFile('a.test.ts')
  const figure = { message: '12 requests', file: '/repo/a.test.ts' }
  for (const event of [
    { type: 'test:stdout', data: { message: 'chatter\n' } },
    { type: 'test:diagnostic', data: figure },
    { type: 'test:diagnostic', data: { message: 'tests 3' } },
    pass('one'),
    pass('skipped', { skip: 'no server' }),
    pass('a suite', { details: { type: 'suite', duration_ms: 0 } }),
  ])
    reporter.event('a.test.ts', event)
  reporter.endFile('a.test.ts')
  assert.equal(out.text, '✓ a.test.ts: 1 passed (3.0 s)\n    12 requests\n')
  assert.deepEqual(tally, { passed: 1, failed: 0, skipped: 1 })
})

test('prints progress to a log every 30 s', () => {
  const out = new FakeOutput(false)
  const { reporter } = newReporter(out)
  reporter.expect(140)
  reporter.start()
  for (const file of ['a.test.ts', 'b.test.ts', 'c.test.ts']) reporter.beginFile(file)
  reporter.event('a.test.ts', pass('one'))
  reporter.endFile('a.test.ts')
  out.take()
  mock.timers.tick(29_999)
  assert.equal(out.take(), '')
  mock.timers.tick(1)
  const line = (time: string) =>
    `… 1 of 140 files in ${time}, 1 passed, 0 failed; now b.test.ts, c.test.ts\n`
  assert.equal(out.take(), line('0:30'))
  mock.timers.tick(30_000)
  assert.equal(out.take(), line('1:00'))
  reporter.stop()
  mock.timers.tick(60_000)
  assert.equal(out.text, '')
})

test('shows a status line on a terminal that stays below other output and never wraps', () => {
  const out = new FakeOutput(true, 40)
  const { reporter } = newReporter(out)
  reporter.expect(2)
  reporter.start()
  reporter.beginFile(`${'long-'.repeat(20)}.test.ts`)
  reporter.beginFile('b.test.ts')
  mock.timers.tick(1000)
  assert.deepEqual(out.screen, ['… 0 of 2 files in 0:01, 0 passed, 0 fai'])
  reporter.event('b.test.ts', pass('one'))
  reporter.endFile('b.test.ts')
  mock.timers.tick(1000)
  assert.deepEqual(out.screen, [
    '✓ b.test.ts: 1 passed (1.5 s)',
    '… 1 of 2 files in 0:02, 1 passed, 0 fai',
  ])
  reporter.stop()
  mock.timers.tick(1000)
  assert.deepEqual(out.screen, ['✓ b.test.ts: 1 passed (1.5 s)', ''])
})

test('clears the status line on an interrupt', async () => {
  mock.timers.reset()
  const interrupt = fileURLToPath(new URL('../../../run/interrupt.mjs', import.meta.url))
  const program = `
    import { endOnInterrupt } from ${JSON.stringify(interrupt)}
    import { Reporter } from ${JSON.stringify(new URL('reporter.js', import.meta.url).href)}
    process.stdout.isTTY = true
    const tally = { passed: 0, failed: 0, skipped: 0 }
    const reporter = new Reporter({ out: process.stdout, tally, root: '/' })
    endOnInterrupt(() => console.log('the server ends'))
    endOnInterrupt(() => reporter.stop())
    reporter.start()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program])
  const out = new FakeOutput(true)
  child.stdout.setEncoding('utf8').on('data', (chunk) => out.write(chunk))
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  const [code] = await once(child, 'close')
  assert.equal(code, 130)
  assert.deepEqual(out.screen, ['the server ends', ''])
})
