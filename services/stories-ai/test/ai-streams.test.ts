import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { sql } from 'kysely'
import { estimateTokens } from '../src/model/estimate-tokens.js'
import {
  type AiService,
  ann,
  deltasIn,
  doneIn,
  protocols,
  startAi,
  until,
  usageIn,
} from './ai-service.js'
import { failureOf } from './test-service.js'

const usage = { input: 100, output: 7 }
/** No part of a token that the tokenizer would join. */
const words = ['One ', 'two ', 'three']

for (const protocol of protocols) {
  describe(protocol, () => {
    let at: AiService
    before(async () => {
      at = await startAi({
        protocol,
        transport: 'http2',
        env: {
          AI_IDLE_TIMEOUT: '1s',
          AI_TIMEOUT: '20s',
          AI_ANSWER_RETENTION: '0s',
          AI_OUTPUT_TOKENS_MAX: '60000',
        },
      })
    })
    beforeEach(async () => {
      const tables = sql`truncate ai_usage, ai_request, ai_quota`
      await tables.execute(at.ctx.db)
    })
    after(async () => {
      assert.deepEqual(at.model.problems, [])
      await at[Symbol.asyncDispose]()
    })
    const question = () => ({
      case: 'figure' as const,
      value: { revisionId: at.peers.revisionId, prompt: 'What is it?' },
    })
    /** What is in the ledger, when nothing is open any more. */
    const settled = async () => {
      await until(async () => (await at.open()).length === 0, 'the requests to be settled')
      assert.equal((await at.quota()).reserved, 0)
      return (await at.usage()).map(({ requests, input, output, estimated }) => ({
        requests,
        input,
        output,
        estimated,
      }))
    }

    test('the parts and the tokens are those of the provider', async () => {
      at.model.next({ text: words, usage })
      const parts = await at.ask('What is it?')
      assert.equal(parts[0]?.event.case, 'started')
      assert.deepEqual(deltasIn(parts), words)
      assert.deepEqual(usageIn(parts), { ...usage, isEstimate: false })
      assert.equal(doneIn(parts)?.response, words.join(''))
      assert.deepEqual(await settled(), [{ requests: 1, ...usage, estimated: 0 }])
      assert.deepEqual(await at.quota(), { used: 107, reserved: 0 })
    })

    test('an answer without a report is counted by estimate, marked so', async () => {
      at.model.next({ text: words, usage: 'none' })
      const told = usageIn(await at.ask('What is it?'))
      assert.equal(told?.isEstimate, true)
      assert.equal(told?.output, estimateTokens(words.join('')))
      const [row] = await settled()
      assert.ok(row)
      assert.deepEqual([row.input, row.output], [told?.input, told?.output])
      // Anthropic's protocol cannot omit the count of its input.
      assert.ok(row.estimated >= row.output && row.estimated <= row.input + row.output)
    })

    for (const [status, code, error] of [
      [401, Code.Aborted, 'ai_failed'],
      [400, Code.Aborted, 'ai_failed'],
      [500, Code.Aborted, 'ai_failed'],
      [429, Code.Unavailable, 'ai_overloaded'],
      [503, Code.Unavailable, 'ai_overloaded'],
      [529, Code.Unavailable, 'ai_overloaded'],
    ] as const) {
      test(`a provider that answers ${status} is ${error}, and costs nothing`, async () => {
        at.model.next({ status })
        // What the question says does not matter.
        const question = 'What do rate_limit_error and overloaded_error mean?'
        assert.deepEqual(await failureOf(at.ask(question)), { code, error, fields: [] })
        assert.deepEqual(await settled(), [])
        assert.deepEqual(await at.quota(), { used: 0, reserved: 0 })
      })
    }

    for (const [what, reply] of [
      ['cuts the connection before its answer', { text: words, cutAfter: 0 }],
      ['cuts the connection in its answer', { text: words, cutAfter: 2, delayMs: 5 }],
      ['reports an error in its answer', { text: words, errorInStream: true }],
      ['sends nonsense', { raw: '<html>Bad gateway</html>' }],
      ['sends nothing', { raw: '' }],
      ['sends broken JSON', { raw: 'data: {"choices": [\n\ndata: [DONE]\n\n' }],
      ['sends JSON of another kind', { raw: 'data: {"a":1}\n\ndata: [DONE]\n\n' }],
    ] as const) {
      test(`a provider that ${what} fails, and costs nothing`, async () => {
        at.model.next({ ...reply, ...('text' in reply && { text: [...words] }) })
        const { error } = await failureOf(at.ask('What is it?'))
        // Anthropic's errors within a stream have a type; that of the scripted model is overloaded_error.
        const isTyped = protocol === 'anthropic' && 'errorInStream' in reply
        assert.equal(error, isTyped ? 'ai_overloaded' : 'ai_failed')
        assert.deepEqual(await settled(), [])
      })
    }

    for (const stall of [{ stallMs: 60_000 }, { stallAfter: 0 }, { stallAfter: 1 }]) {
      test(`a provider that is silent (${JSON.stringify(stall)}) is given up: ai_timeout, and costs nothing`, async () => {
        at.model.next({ text: words, ...stall })
        const { code, error } = await failureOf(at.ask('What is it?'))
        assert.deepEqual([code, error], [Code.DeadlineExceeded, 'ai_timeout'])
        await at.model.idle()
        assert.deepEqual(await settled(), [])
      })
    }

    test('an answer that takes too long is given up, and is counted', async () => {
      at.model.next({ text: Array(400).fill('word '), delayMs: 100 })
      const { code, error } = await failureOf(at.ask('What is it?'))
      assert.deepEqual([code, error], [Code.DeadlineExceeded, 'ai_too_long'])
      await at.model.idle()
      const [row] = await settled()
      assert.ok(row && row.output > 10 && row.output < 400 && row.estimated >= row.output)
    })

    test('a reader that leaves ends the request to the provider within a second, and what was received is counted', async () => {
      at.model.next({ text: words, usage, stallAfter: 2 })
      const leave = new AbortController()
      const stream = at.insight.ask({ question: question() }, { ...ann, signal: leave.signal })
      let deltas = 0
      await assert.rejects(async () => {
        for await (const { event } of stream) {
          if (event.case === 'delta' && ++deltas === 2) leave.abort()
        }
      })
      await until(() => at.model.openRequests === 0, 'the request to end', 1000)
      const [row] = await settled()
      assert.ok(row)
      const output = estimateTokens('One two ')
      if (protocol === 'anthropic') {
        // Its first event reports the input.
        assert.deepEqual(row, { requests: 1, input: 100, output, estimated: output })
      } else {
        const { input } = row
        assert.ok(input > 50)
        assert.deepEqual(row, { requests: 1, input, output, estimated: input + output })
      }
    })

    test('a slow reader is not taken for a silent provider, and gets the whole answer', async () => {
      // The longest answer that AI_OUTPUT_TOKENS_MAX allows, about.
      const text = Array(90).fill('x'.repeat(20_000))
      at.model.next({ text, usage })
      const stream = at.insight.ask({ question: question() }, ann)[Symbol.asyncIterator]()
      await stream.next()
      await stream.next()
      const idleUntil = performance.now() + 2 * at.ctx.cfg.ai.idleTimeoutMs
      await until(() => performance.now() > idleUntil, 'more than the time that a provider has')
      let chars = 20_000
      for (let next = await stream.next(); !next.done; next = await stream.next()) {
        if (next.value.event.case === 'delta') chars += next.value.event.value.length
      }
      assert.equal(chars, 1_800_000)
      assert.deepEqual(await settled(), [{ requests: 1, ...usage, estimated: 0 }])
    })
  })
}
