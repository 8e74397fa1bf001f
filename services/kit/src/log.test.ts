import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

test('logs an RPC error as one short line without secrets', () => {
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const program = `
    const { createLogger } = await import(${module('./log.js')})
    const { invalid } = await import(${module('./errors/errors.js')})
    const log = createLogger('test', 'info')
    log.warn({ err: invalid('name', 'is required'), req: { password: 'hunter2' } }, 'refused')
    const detail = { detail: 'Key (email)=(hunter2)', where: '$1 = hunter2', code: '23505' }
    const inner = Object.assign(new Error('inner'), detail)
    log.error({ err: Object.assign(new Error('outer', { cause: inner }), detail) }, 'failed')
  `
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  const lines = stderr.trim().split('\n')
  assert.equal(lines.length, 2, stderr)
  const [refused = '', failed = ''] = lines
  assert.ok(refused.length < 2000, `${refused.length} characters`)
  assert.match(refused, /name: is required.*invalid_request/)
  assert.doesNotMatch(stderr, /hunter2/)
  assert.match(failed, /outer.*inner.*23505/)
})

test('adds request and trace of the scope, also after an await', () => {
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const program = `
    const { createLogger } = await import(${module('./log.js')})
    const { inScope, outOfScope } = await import(${module('./scope/scope.js')})
    const log = createLogger('test', 'info')
    const span = { traceId: 't-1', spanId: 's-1' }
    await inScope({ requestId: 'r-1', span }, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      log.info('within')
      log.info({ requestId: 'r-2' }, 'of another')
      outOfScope(() => log.info('without'))
    })
    log.info('after')
  `
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const logged = lines.map(({ msg, requestId, trace_id, span_id }) => [
    msg,
    requestId,
    trace_id,
    span_id,
  ])
  assert.deepEqual(logged, [
    ['within', 'r-1', 't-1', 's-1'],
    ['of another', 'r-2', 't-1', 's-1'],
    ['without', undefined, undefined, undefined],
    ['after', undefined, undefined, undefined],
  ])
})
