import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ContractIndex, documentOf } from './contract.js'
import { fieldNames } from './port.js'

/** The order of the hits, their scores and their highlights. */
export function rankingContract(name: string, { index, names, find }: ContractIndex): void {
  test(`${name}: scores are in (0, 1], descend and are stable`, async () => {
    await index([
      documentOf({ name: 'apples apples apples' }),
      documentOf({ name: 'one', description: 'apples' }),
      documentOf({ name: 'two', code: 'apples = 1' }),
    ])
    for (const match of ['all', 'any'] as const) {
      const hits = await find('apples one', { match: 'any' })
      for (const { score } of hits) assert.ok(score > 0 && score <= 1, String(score))
      const scores = hits.map(({ score }) => score)
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      )
      assert.deepEqual(await find('apples', { match }), await find('apples', { match }))
    }
  })

  test(`${name}: an exact word ranks above its stem, this above a longer word`, async () => {
    await index([
      documentOf({ name: 'runnings' }),
      documentOf({ name: 'runs' }),
      documentOf({ name: 'running' }),
    ])
    for (const match of ['all', 'any'] as const) {
      assert.equal((await names('running', { match }))[0], 'running')
      assert.equal((await names('runs', { match }))[0], 'runs')
    }
  })

  test(`${name}: more important fields rank higher`, async () => {
    const documents = (['text', 'metadata', 'description'] as const).map((field) =>
      documentOf({ name: field, [field]: 'apples' }),
    )
    await index([...documents, documentOf({ name: 'apples' })])
    for (const match of ['all', 'any'] as const) {
      const found = await names('apples', { match })
      assert.deepEqual(found, ['apples', 'description', 'metadata', 'text'])
    }
  })

  test(`${name}: repetition in a text does not outrank a name`, async () => {
    const code = 'apples = apples + apples\n'.repeat(500)
    await index([documentOf({ name: 'code', code }), documentOf({ name: 'apples' })])
    assert.deepEqual(await names('apples'), ['apples', 'code'])
  })

  test(`${name}: a rare word outranks a common one`, async () => {
    const common = Array.from({ length: 20 }, (_, n) => documentOf({ name: `apples ${n}` }))
    await index([...common, documentOf({ name: 'quince' })])
    const [first] = await names('apples quince', { match: 'any' })
    assert.equal(first, 'quince')
  })

  test(`${name}: among equals newer objects come first, then lower ids`, async () => {
    const dated = (createdOn: string, id: string) =>
      documentOf({ name: 'apples' }, { createdOn, id })
    const ids = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`)
    const [a = '', b = '', c = ''] = ids
    await index([
      dated('2024-01-01T00:00:00.000Z', b),
      dated('2024-01-01T00:00:00.000Z', a),
      dated('2024-01-01T00:00:00.001Z', c),
    ])
    for (const match of ['all', 'any'] as const) {
      const found = async (limit: number, offset: number) =>
        (await find('apples', { match, limit, offset })).map(({ id }) => id)
      assert.deepEqual(await found(10, 0), [c, a, b])
      assert.deepEqual(await found(2, 0), [c, a])
      assert.deepEqual(await found(2, 2), [b])
      assert.deepEqual(await found(2, 4), [])
    }
  })

  test(`${name}: pages together are the whole list`, async () => {
    const fields = ['name', 'description', 'code'] as const
    const documents = Array.from({ length: 40 }, (_, n) =>
      documentOf({ [fields[n % 3] ?? 'name']: `apples ${'pears '.repeat(n % 5)}` }),
    )
    await index(documents)
    for (const match of ['all', 'any'] as const) {
      const all = await find('apples pears', { match, limit: 100 })
      const paged = []
      for (let offset = 0; offset < all.length; offset += 7)
        paged.push(...(await find('apples pears', { match, limit: 7, offset })))
      assert.deepEqual(paged, all)
    }
  })

  test(`${name}: highlights what matched, as escaped HTML`, async () => {
    await index([
      documentOf({
        name: 'Expression <b> & "IL-6"',
        description: 'no match',
        code: 'x = expressions',
      }),
    ])
    const [hit] = await find('expression', { withHighlights: true })
    const fields = hit?.highlights.map(({ field }) => field) ?? []
    assert.deepEqual(fields, ['name', 'code'])
    assert.deepEqual(hit?.highlights[0]?.snippets, [
      '<mark>Expression</mark> &lt;b&gt; &amp; &quot;IL-6&quot;',
    ])
    assert.match(hit?.highlights[1]?.snippets[0] ?? '', /<mark>expression/)
    const [without] = await find('expression')
    assert.deepEqual(without?.highlights, [])
  })

  test(`${name}: highlights longer and mistyped words, in bounded snippets`, async () => {
    const text = `${'filler words '.repeat(200)} heatmap ${'more filler '.repeat(200)}`
    await index([documentOf({ name: 'plot', text })])
    for (const typed of ['heatma', 'haetmap', 'filler']) {
      const [hit] = await find(typed, { withHighlights: true })
      const [shown] = hit?.highlights ?? []
      assert.equal(shown?.field, 'text')
      assert.ok(shown.snippets.length >= 1 && shown.snippets.length <= 3)
      for (const snippet of shown.snippets) {
        assert.match(snippet, /<mark>(heatmap|heatma|filler)<\/mark>/)
        assert.ok(snippet.replace(/<\/?mark>/g, '').length < 300, snippet)
        assert.doesNotMatch(snippet.replace(/<\/?mark>/g, ''), /[<>]/)
      }
    }
    assert.ok(fieldNames.includes('text'))
  })
}
