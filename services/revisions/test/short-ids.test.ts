import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { failsWith } from './failure.js'
import { ada, type Bench, bob, leftovers, nothing, parts, publish, startBench } from './service.js'

const prefixesMax = 30

describe('short ids', () => {
  let bench: Bench
  before(async () => {
    bench = await startBench('local', { SHORT_ID_PREFIXES_PER_USER_MAX: String(prefixesMax) })
  })
  after(() => bench[Symbol.asyncDispose]())

  const reserve = async (as = ada) => (await bench.client.reserveShortIdPrefix({}, as)).prefix
  const resolve = async (shortId: string, as = ada) =>
    (await bench.client.resolveShortId({ shortId }, as)).id

  const refused = async (shortId: string) =>
    failsWith(bench.client.createRevision(parts(bench.figureId, [], { shortId }), ada), {
      code: 'InvalidArgument',
      field: 'short_id',
    })

  test('a short id with a prefix of another, of nobody, or in no canonical form is refused', async () => {
    const mine = await reserve()
    for (const shortId of [
      `${await reserve(bob)}0`,
      '00000000a',
      mine,
      `${mine}00`,
      `${mine}01`,
      `${mine}_`,
      `${mine}123456789`,
      '',
    ]) {
      await refused(shortId)
    }
    assert.deepEqual(await leftovers(bench), nothing)
  })

  test('a revision has the short id that was sent, and is found by it and nothing like it', async () => {
    const prefix = await reserve()
    const { id, shortId } = await publish(bench, [], { shortId: `${prefix}1Z` })
    assert.equal(shortId, `${prefix}1Z`)
    assert.equal(await resolve(shortId), id)
    assert.equal(await resolve(shortId, bob), id, 'who may see it is decided with the id')
    assert.equal(await resolve(`${prefix}1z`), '')
    assert.equal(await resolve(`${prefix}1Z0`), '')
    assert.equal(await resolve('text, not an id'), '')
  })

  test('the same short id twice is a conflict that leaves nothing', async () => {
    const shortId = `${await reserve()}0`
    await publish(bench, [], { shortId })
    const before = await leftovers(bench)
    const again = bench.client.createRevision(parts(bench.figureId, [], { shortId }), ada)
    await failsWith(again, { code: 'AlreadyExists', error: 'duplicate_short_id' })
    assert.deepEqual(await leftovers(bench), before)
  })

  test('prefixes are as many as the setting says, for each user', async () => {
    const prefixes = new Set<string>()
    const full = async () => {
      for (;;) prefixes.add(await reserve())
    }
    await failsWith(full(), { code: 'PermissionDenied', error: 'max_short_id_prefixes' })
    const [row] = await bench.query<{ n: number }>(
      `select count(*)::int as n from short_id_prefix where username = 'ada'`,
    )
    assert.equal(row?.n, prefixesMax)
    await reserve(bob)
  })
})
