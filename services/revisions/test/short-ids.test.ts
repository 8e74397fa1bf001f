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

  test('rejects a prefix of another user, an unknown prefix and other forms', async () => {
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

  test('a revision gets the given short id and is found only by it', async () => {
    const prefix = await reserve()
    const { id, shortId } = await publish(bench, [], { shortId: `${prefix}1Z` })
    assert.equal(shortId, `${prefix}1Z`)
    assert.equal(await resolve(shortId), id)
    assert.equal(await resolve(shortId, bob), id, 'permissions are checked with the id')
    assert.equal(await resolve(`${prefix}1z`), '')
    assert.equal(await resolve(`${prefix}1Z0`), '')
    assert.equal(await resolve('text, not an id'), '')
  })

  test('a duplicate short id is a conflict that leaves nothing', async () => {
    const shortId = `${await reserve()}0`
    await publish(bench, [], { shortId })
    const before = await leftovers(bench)
    const again = bench.client.createRevision(parts(bench.figureId, [], { shortId }), ada)
    await failsWith(again, { code: 'AlreadyExists', error: 'duplicate_short_id' })
    assert.deepEqual(await leftovers(bench), before)
  })

  test('limits the prefixes of each user', async () => {
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
