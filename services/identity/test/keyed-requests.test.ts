import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { actAs, setKeyedRequest } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { sql } from 'kysely'
import { deleteOldKeyedRequests } from '../src/periodic/delete-keyed-requests.js'
import { as, failureOf, start, type Transport } from './support/started.js'

const one = Buffer.from('one')
const answer = (body: string) => ({ status: 201, headers: { location: '/x' }, body })

async function startWith(transport: Transport = 'local') {
  const at = await start(transport)
  for (const username of ['ann', 'bob']) {
    await sql`insert into account (username, email, first_name, last_name, password_hash)
      values (${username}, '', '', '', '')`.execute(at.db)
  }
  return at
}

test('a key is one request of a user and an API key, with one answer', async () => {
  await using at = await startWith('http2')
  const { keyedRequests } = at
  const ann = as('ann')
  const begun = await keyedRequests.beginKeyedRequest({ key: 'k' }, ann)
  assert.equal(begun.fingerprint.length, 0)
  const again = await keyedRequests.beginKeyedRequest({ key: 'k', fingerprint: one }, ann)
  assert.deepEqual([again.id, again.answer], [begun.id, undefined])
  const changed = { key: 'k', fingerprint: Buffer.from('two') }
  assert.deepEqual(await failureOf(keyedRequests.beginKeyedRequest(changed, ann)), {
    code: Code.InvalidArgument,
    error: 'idempotency_key_reused',
    fields: [],
  })
  for (const other of [as('bob'), actAs(userWithKey('ann'))]) {
    const { id } = await keyedRequests.beginKeyedRequest({ key: 'k', fingerprint: one }, other)
    assert.notEqual(id, begun.id)
  }

  const finish = (body: string, call = ann) =>
    keyedRequests.finishKeyedRequest({ id: begun.id, answer: answer(body) }, call)
  const finished = await Promise.all(['first', 'second', 'third'].map((body) => finish(body)))
  const bodies = finished.map((response) => response.answer?.body)
  assert.equal(new Set(bodies).size, 1)
  const known = await keyedRequests.beginKeyedRequest({ key: 'k', fingerprint: one }, ann)
  assert.deepEqual(
    [known.answer?.status, known.answer?.headers, known.answer?.body],
    [201, { location: '/x' }, bodies[0]],
  )
  assert.equal((await failureOf(finish('other', as('bob')))).code, Code.NotFound)
  for (const key of ['', 'x'.repeat(256)]) {
    const { fields } = await failureOf(keyedRequests.beginKeyedRequest({ key }, ann))
    assert.deepEqual(fields, ['Idempotency-Key'])
  }
})

test('a key begins anew after a day, and is then deleted', async () => {
  await using at = await startWith()
  const { keyedRequests, db, ctx } = at
  const begin = (key: string) =>
    keyedRequests.beginKeyedRequest({ key, fingerprint: one }, as('ann'))
  const first = await begin('k')
  await keyedRequests.finishKeyedRequest({ id: first.id, answer: answer('old') }, as('ann'))
  const age = (hours: number) =>
    sql`update keyed_request set begun_on = now() - ${hours} * interval '1 h'`.execute(db)
  await age(23)
  assert.equal((await begin('k')).answer?.body, 'old')
  await age(25)
  const anew = await begin('k')
  assert.notEqual(anew.id, first.id)
  assert.equal(anew.answer, undefined)
  assert.equal((await begin('k')).id, anew.id)

  await begin('other')
  await sql`update keyed_request set begun_on = now() - interval '25 h' where key = 'other'`.execute(
    db,
  )
  await deleteOldKeyedRequests.run(ctx, new AbortController().signal)
  const { rows } = await sql<{ key: string }>`select key from keyed_request`.execute(db)
  assert.deepEqual(rows, [{ key: 'k' }])
})

test('a call of a keyed request has its effect once', async () => {
  await using at = await startWith('http2')
  const keyed = (id: string) => {
    const call = as('ann')
    setKeyedRequest(call, id)
    return call
  }
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const request = { name: 'laptop', privateKey: pem }
  const create = (id: string) => at.sshKeys.createSshKey(request, keyed(id))
  const id = randomUUID()
  const made = await Promise.all(Array.from({ length: 8 }, () => create(id)))
  const [first] = made
  for (const other of [...made, await create(id)]) assert.deepEqual(other, first)
  // The name is unique, so the effect is seen: another request is refused.
  assert.deepEqual((await failureOf(create(randomUUID()))).fields, ['name'])
  assert.equal((await at.sshKeys.listSshKeys({}, as('ann'))).keys.length, 1)
  const { rows } = await sql`select from keyed_result`.execute(at.db)
  assert.equal(rows.length, 1)
})
