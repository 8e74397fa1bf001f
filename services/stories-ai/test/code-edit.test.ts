import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { Permission } from '@figbase/proto/catalog'
import { CodeEditorService } from '@figbase/proto/code-editor'
import { type AiService, ann, bob, startAi } from './ai-service.js'
import { failureOf } from './test-service.js'

const edit = ({ service, peers }: AiService, currentCode: string, as = ann) => {
  const messages = [{ role: 'user', content: 'Make it red' }]
  const availablePackages = { names: ['ggplot2'] }
  const { revisionId } = peers
  const request = { revisionId, messages, currentCode, availablePackages }
  return service.client(CodeEditorService).editCode(request, as)
}
const tool = (name: string, input: unknown = {}) => ({ tools: [{ name, input }] })
const change = tool('replace_code', { code: 'x = 1' })

test('an edit ends after AI_AGENT_TOKENS_MAX, with the code so far', async () => {
  await using at = await startAi({ env: { AI_AGENT_TOKENS_MAX: '150' } })
  at.model.always({ ...change, usage: { input: 100, output: 7 } })
  const { code, error } = await edit(at, 'plot()')
  assert.deepEqual([code, error], ['x = 1', 'stopped after 214 tokens'])
  assert.equal(at.model.requests.length, 2)
  assert.deepEqual(await at.quota(), { used: 214, reserved: 0 })
})

test('an edit ends after AI_AGENT_TIMEOUT, with the code so far, and so does its request', async () => {
  await using at = await startAi({ env: { AI_AGENT_TIMEOUT: '2s' } })
  at.model.next(change, { text: ['one ', 'two'], stallAfter: 1 })
  const { code, error } = await edit(at, 'plot()')
  assert.deepEqual([code, error], ['x = 1', 'stopped after 2 s'])
  await at.model.idle()
})

test('code in R is parsed, and imports only available packages', async () => {
  await using at = await startAi()
  at.peers.codeName = 'plot.R'
  at.model.always({ text: 'Nothing to do.' })
  for (const [source, problem] of [
    ['library(ggplot2)\nggplot2::qplot(1:3)', undefined],
    ['x <- (1', /^line 1: invalid syntax$/],
    ['library(httr)', /httr is not available/],
  ] as const) {
    const { valid, error } = await edit(at, source)
    assert.equal(valid, problem === undefined, error)
    if (problem) assert.match(error ?? '', problem)
  }
})

test('a tool reads nothing for a user who has lost the permission meanwhile', async () => {
  await using at = await startAi()
  at.model.next(() => {
    at.peers.granted.bob = Permission.VIEW
    return tool('read_data_schema')
  })
  assert.equal((await failureOf(edit(at, 'plot()', bob))).code, Code.PermissionDenied)
  assert.equal(at.model.requests.length, 1)
})
