import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Author, program } from './support/author.js'
import { around, createCrashAt } from './support/crash-at.js'
import { creations, idsIn, newPlaces, type Places } from './support/creations.js'
import { Bench } from './support/launched.js'

/**
 * Kills the process at each step of a request with an `Idempotency-Key`, and repeats it. It gets its answer, and the
 * object exists once.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())
const crashAt = createCrashAt(bench)

/** The record of a keyed request before the handler, and its answer. */
const pointsOfAnswer = around('identity.write', 2)

for (const { name, points, in: place, make } of creations) {
  for (const point of [...pointsOfAnswer, ...points]) {
    test(`${name} is created once, although the process is killed at ${point}`, async () => {
      const key = randomUUID()
      let before: string[] = []
      const post = (author: Author, places: Places) => {
        const { path, body } = make(places)
        return author.request('POST', path, body, { 'idempotency-key': key })
      }
      await crashAt(
        point,
        async (author) => {
          const places = await newPlaces(author)
          before = await idsIn(author, place, places)
          return places
        },
        async (author, places) => assert.equal((await post(author, places)).status, 201),
        async (author, places) => {
          const first = await post(author, places)
          const text = await first.text()
          assert.equal(first.status, 201, text)
          assert.equal(await (await post(author, places)).text(), text)
          const made = JSON.parse(text) as { api_id?: string; id: string }
          const found = (await idsIn(author, place, places)).filter((id) => !before.includes(id))
          assert.deepEqual(found, [made.api_id ?? made.id])
        },
      )
    })
  }
}
