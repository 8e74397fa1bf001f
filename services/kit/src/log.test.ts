import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

test('an error of a call is one short line, and secrets are not in it', () => {
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const program = `
    const { createLogger } = await import(${module('./log.js')})
    const { invalid } = await import(${module('./errors.js')})
    const log = createLogger('test', 'info')
    log.warn({ err: invalid('name', 'is required'), req: { password: 'hunter2' } }, 'refused')
    log.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed')
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
  assert.match(failed, /outer.*inner/)
})
