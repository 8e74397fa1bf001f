import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type AiService, ann, protocols, startAi, until } from './ai-service.js'
import { failureOf } from './test-service.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const readers = 20
const beginMs = 30_000

for (const protocol of protocols) {
  describe(protocol, () => {
    let at: AiService
    before(async () => {
      at = await startAi({ protocol, transport: 'http2', env: { AI_ANSWER_RETENTION: '0s' } })
    })
    after(async () => {
      assert.deepEqual(at.model.problems, [])
      await at[Symbol.asyncDispose]()
    })

    for (const reply of [{ stallAfter: 1 }, { stallMs: 600_000 }]) {
      test(`requests end when their readers leave, also after a garbage collection (${JSON.stringify(reply)})`, async () => {
        at.model.always({ text: ['One ', 'two'], ...reply })
        const leave = new AbortController()
        const asked = Array.from({ length: readers }, (_, n) =>
          failureOf(at.ask(`question ${n}`, ann, leave.signal)),
        )
        const haveBegun = () => at.model.openRequests === readers
        await until(haveBegun, 'the requests to begin', beginMs)
        collectGarbage()
        leave.abort()
        await Promise.all(asked)
        await until(() => at.model.openRequests === 0, 'the requests to end')
        await until(async () => (await at.open()).length === 0, 'the requests to be settled')
      })
    }
  })
}
