import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { documentPath } from './typesense/contract-document.js'
import { startTypesenseServer } from './typesense-server.js'

type Call = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: unknown }>

async function withServer(use: (call: Call, problems: string[]) => Promise<void>) {
  await using server = await startTypesenseServer()
  const headers = { 'x-typesense-api-key': server.apiKey, 'content-type': 'application/json' }
  await use(async (method, path, body) => {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(server.url + path, init)
    return { status: response.status, body: await response.json() }
  }, server.problems)
}

const collection = { name: 'c', fields: [{ name: 'title', type: 'string' }] }
const searchOf = (parameters: object) => ({
  searches: [
    { collection: 'c', q: 'x', query_by: 'title', drop_tokens_threshold: 0, ...parameters },
  ],
})

test('the test server refuses a filter that Typesense cannot parse', async () => {
  await withServer(async (call) => {
    await call('POST', '/collections', collection)
    const split = { split_join_tokens: 'off' }
    for (const filter of ['title:', 'title:=[a', '(title:=a', 'title:=a &&', 'a b', 'none:=a']) {
      const { body } = await call(
        'POST',
        '/multi_search',
        searchOf({ filter_by: filter, ...split }),
      )
      const [result] = (body as { results: { code?: number }[] }).results
      assert.ok(result?.code === 400 || result?.code === 404, filter)
    }
  })
})

test('the test server answers 401, 404 and 409', async () => {
  await withServer(async (call) => {
    assert.equal((await call('POST', '/collections', collection)).status, 201)
    assert.equal((await call('POST', '/collections', collection)).status, 409)
    assert.equal((await call('GET', '/collections/other')).status, 404)
  })
  await using server = await startTypesenseServer()
  assert.equal((await fetch(`${server.url}/aliases`)).status, 401)
})

test('the test server reports what contradicts the document of Typesense', async () => {
  await withServer(async (call, problems) => {
    await call('POST', '/collections', { ...collection, fields: [{ name: 1, type: 'string' }] })
    await call('POST', '/multi_search', searchOf({ not_a_parameter: 1, per_page: 'many' }))
    await call('DELETE', '/collections/c/documents?filter_by=id:a&batch=1')
    await call('PUT', '/collections')
    const expected = [
      /fields\/0\/name must be string/,
      /not_a_parameter/,
      /per_page must be integer/,
      /"batch"/,
      /PUT \/collections is not in the document/,
    ]
    if (!existsSync(documentPath)) assert.deepEqual(problems, [])
    else for (const one of expected) assert.match(problems.join('\n'), one)
  })
})
