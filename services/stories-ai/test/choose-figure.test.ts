import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { sql } from 'kysely'
import sharp from 'sharp'
import { type AiService, ann, bob, eve, protocols, startAi, until } from './ai-service.js'
import { failureOf } from './test-service.js'

const candidates = ['Monthly means', 'Yearly sums', 'Depths'].map((name) => ({
  id: randomUUID(),
  name,
}))
const [, second] = candidates

for (const protocol of protocols) {
  describe(protocol, () => {
    let at: AiService
    before(async () => {
      at = await startAi({ protocol, transport: 'http2' })
    })
    beforeEach(async () => {
      at.model.requests.length = 0
      at.peers.terms = {}
      at.peers.site = { aiEnabled: true, aiModel: 'small' }
      await sql`truncate ai_usage, ai_request, ai_quota`.execute(at.ctx.db)
    })
    after(async () => {
      assert.deepEqual(at.model.problems, [])
      await at[Symbol.asyncDispose]()
    })
    const request = (more: object = {}) => ({
      revisionId: at.peers.revisionId,
      candidates,
      taskId: randomUUID(),
      ...more,
    })
    const choose = (more: object = {}, as = ann) => at.insight.chooseFigure(request(more), as)

    test('the model gets the picture, the code and the names, and its number is a candidate', async () => {
      const create = { width: 3000, height: 30, channels: 3 as const, background: 'red' }
      const picture = await sharp({ create }).png().toBuffer()
      at.model.next({ json: { figure: 2 } })
      assert.equal((await choose({ picture })).figureId, second?.id)
      const [sent] = at.model.requests
      assert.equal((await sharp(sent?.images[0]).metadata()).width, 1024)
      assert.match(sent?.text ?? '', /plot\(means\)/)
      assert.match(sent?.text ?? '', /name="2">\s*Yearly sums/)
      const [row] = await at.usage()
      assert.deepEqual([row?.username, row?.route, row?.requests], ['ann', 'auto-assign', 1])
    })

    test('0 is no figure', async () => {
      at.model.next({ json: { figure: 0 } })
      assert.equal((await choose()).figureId, '')
    })

    test('an answer that is no candidate is asked again once', async () => {
      at.model.next({ json: { figure: 4 } }, { json: { figure: 2 } })
      assert.equal((await choose()).figureId, second?.id)
      for (const json of [{ figure: 4 }, { figure: -1 }, { figure: 1.5 }, { figure: second?.id }]) {
        at.model.requests.length = 0
        at.model.next({ json }, { json })
        assert.equal((await failureOf(choose())).error, 'ai_failed')
        assert.equal(at.model.requests.length, 2)
      }
    })

    test('the same request of the same task is paid once', async () => {
      const taskId = randomUUID()
      at.model.next({ json: { figure: 2 } })
      for (let attempt = 1; attempt <= 2; attempt++) {
        assert.equal((await choose({ taskId })).figureId, second?.id)
      }
      assert.equal(at.model.requests.length, 1)
      const stored = await at.ctx.db
        .selectFrom('ai_answer')
        .select('prompt')
        .where('scope', '=', taskId)
      assert.deepEqual(await stored.execute(), [{ prompt: 'auto-assign 1' }])
      at.model.next({ json: { figure: 1 } })
      assert.equal((await choose()).figureId, candidates[0]?.id)
      assert.equal(at.model.requests.length, 2)
    })

    test('the last candidates are left out if their names are too long', async () => {
      const many = Array.from({ length: 500 }, (_, i) => ({
        id: randomUUID(),
        name: `name ${i} ${'some words '.repeat(20)}`,
      }))
      at.model.next({ json: { figure: 1 } })
      assert.equal((await choose({ candidates: many })).figureId, many[0]?.id)
      const text = at.model.requests[0]?.text ?? ''
      assert.match(text, /name 0 /)
      assert.doesNotMatch(text, /name 499 /)
    })

    test('the user needs COMMENT, and the plan of the workspace counts', async () => {
      at.model.next({ json: { figure: 2 } })
      assert.equal((await choose({}, bob)).figureId, second?.id)
      at.model.requests.length = 0
      assert.equal((await failureOf(choose({}, eve))).code, Code.PermissionDenied)
      at.peers.terms = { monthlyTokenQuota: 1n }
      assert.equal((await failureOf(choose())).error, 'ai_quota_exceeded')
      at.peers.terms = {}
      at.peers.site.aiEnabled = false
      assert.equal((await failureOf(choose())).error, 'ai_disabled')
      assert.deepEqual((await failureOf(choose({ taskId: '' }))).fields, ['task_id'])
      assert.equal(at.model.requests.length, 0)
    })

    test('a caller that leaves ends the request to the model', async () => {
      at.model.next({ text: ['{', '}'], stallAfter: 1 })
      const leave = new AbortController()
      const choice = at.insight.chooseFigure(request(), { ...ann, signal: leave.signal })
      const refused = assert.rejects(choice)
      await until(() => at.model.openRequests === 1, 'the request')
      leave.abort()
      await refused
      await until(() => at.model.openRequests === 0, 'the request to end', 1000)
    })
  })
}
