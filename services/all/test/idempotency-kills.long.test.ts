import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Author, program } from './support/author.js'
import { runCommand } from './support/command.js'
import { creations, idsIn, newPlaces, type Place, type Request } from './support/creations.js'
import { Bench, until } from './support/launched.js'

/**
 * Kills the process at random times while clients create objects with an `Idempotency-Key`, and repeats the requests
 * without an answer.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const places = ['analysis', 'figure', 'workspace', 'comments'] as const
const CLIENTS = 25
const INTERRUPTED = Number(process.env.INTERRUPTED ?? 1000)
const env = { LOG_LEVEL: 'fatal', ACCESS_TOKEN_LIFETIME: '1d' }

type Sent = Request & { key: string; place: Place; id?: string }

test(`of ${INTERRUPTED} requests that a kill interrupted, none is doubled`, async (t) => {
  const dataDir = await bench.dir()
  const author = new Author(await bench.start({ dataDir, env }))
  await author.signUp()
  const at = await newPlaces(author)
  const sent: Sent[] = []
  let interrupted = 0
  let effects = 0
  let kills = 0

  const send = async (one: Sent) => {
    const response = await author.request('POST', one.path, one.body, {
      'idempotency-key': one.key,
    })
    const text = await response.text()
    assert.equal(response.status, 201, text)
    const made = JSON.parse(text) as { api_id?: string; id: string }
    one.id = made.api_id ?? made.id
  }
  /** Creates until the process is killed. */
  const work = async (): Promise<Sent> => {
    for (;;) {
      const creation = creations[Math.floor(Math.random() * creations.length)] ?? creations[0]
      assert.ok(creation)
      const one: Sent = { ...creation.make(at), key: randomUUID(), place: creation.in }
      sent.push(one)
      try {
        await send(one)
      } catch (error) {
        if (error instanceof TypeError) return one
        throw error
      }
    }
  }
  const count = async () => {
    const all = places.map((place) => idsIn(author, place, at))
    return (await Promise.all(all)).flat().length
  }
  const before = await count()
  while (interrupted < INTERRUPTED) {
    const working = Array.from({ length: CLIENTS }, work)
    await sleep(50 + Math.random() * 1500)
    author.launched.child.kill('SIGKILL')
    const unanswered = await Promise.all(working)
    await until(() => author.launched.hasEnded(), 'the kill')
    kills++
    author.launched = await bench.start({ dataDir, env })
    interrupted += unanswered.length
    const known = await count()
    await Promise.all(unanswered.map(send))
    effects += unanswered.length - ((await count()) - known)
  }

  const created = (place: Place) => sent.filter((one) => one.place === place).map(({ id }) => id)
  let found = 0
  for (const place of places) {
    const ids = await idsIn(author, place, at)
    const expected = created(place)
    assert.ok(expected.every((id) => id !== undefined && ids.includes(id)))
    found += ids.length
  }
  t.diagnostic(
    `${sent.length} requests, ${interrupted} interrupted by ${kills} kills, ${effects} of them after their effect`,
  )
  assert.ok(effects > 0, 'some effects must have preceded the kill')
  assert.equal(found - before, sent.length, 'nothing is doubled')
  assert.equal(new Set(sent.map(({ id }) => id)).size, sent.length)
  assert.equal(await author.launched.stop(), 0)
  const { code, output } = await runCommand(dataDir, ['fsck', '--verify'])
  assert.equal(code, 0, output)
})
