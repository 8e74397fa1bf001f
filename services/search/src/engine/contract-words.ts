import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type ContractIndex, documentOf } from './contract.js'

/** Which words find a document. */
export function wordsContract(name: string, { index, names, find }: ContractIndex): void {
  /** Asserts that each query finds the only document, or does not. */
  const finds = async (
    fields: Parameters<typeof documentOf>[0],
    yes: string[],
    no: string[] = [],
  ) => {
    await index([documentOf(fields)])
    for (const text of yes) assert.equal((await find(text)).length, 1, `${text} is not found`)
    for (const text of no) assert.equal((await find(text)).length, 0, `${text} is found`)
  }

  test(`${name}: finds words in every field`, async () => {
    const fields = {
      ...{ name: 'one', description: 'two', files: 'three.png', metadata: 'four: five' },
      ...{ columns: 'six', code: 'seven(eight)', text: 'nine', comments: 'ten', ocr: 'eleven' },
    }
    const words = 'one two three four five six seven eight nine ten eleven'
    await finds(fields, [...words.split(' '), 'ten two', words], ['twelve', 'one twelve'])
  })

  test(`${name}: folds case and accents`, async () => {
    const text = 'Ångström naïve STRASSE ﬁbre'
    await finds({ name: text }, ['angstrom', 'ÅNGSTRÖM', 'NAIVE', 'straße', 'fibre'])
  })

  test(`${name}: finds identifiers as scientists write them`, async () => {
    const text = `IL-6 p53 Δψm q_value log2FC TNF-α β-catenin H3K27me3 CO2 5'-UTR colorScale`
    const typed = ['il-6', 'IL6', 'p53', 'P53', 'Δψm', 'q_value', 'qvalue', 'log2FC', 'LOG2fc']
    const others = ['TNF-α', 'tnf-alpha', 'TNF', 'beta-catenin', 'catenin', 'H3K27me3', 'CO2']
    const parts = ["5'-UTR", 'colorscale', 'color scale', 'value', 'scale', 'psi']
    const no = ['IL-7', 'p54', 'H3K9me3', 'q_values2', 'CO3']
    await finds({ description: text }, [...typed, ...others, ...parts], no)
  })

  test(`${name}: finds names of files and DOIs, and their ends`, async () => {
    const fields = { files: 'fig_2b.png', metadata: 'doi: 10.1038/s41586-020-1' }
    const yes = ['fig_2b.png', 'fig_2b', 'png', '10.1038/s41586-020-1', 's41586-020-1']
    await finds(fields, yes, ['fig_2c.png', '10.1039/s41586-020-1'])
  })

  test(`${name}: finds a DOI by its link, and a link by its DOI`, async () => {
    // The second one has so many parts that it is found as a whole only.
    for (const doi of ['10.1038/s41586-020-2649-2', '10.1371/a1b2c3d4e5f6g7h8']) {
      const links = [`https://doi.org/${doi}`, `http://dx.doi.org/${doi}`, `doi:${doi}`]
      const no = ['https://doi.org/10.1038/s41586-020-2649-3', '10.1371/a1b2c3d4e5f6g7h9']
      for (const written of [doi, ...links])
        await finds({ description: `Data of ${written}.` }, [doi, ...links], no)
    }
  })

  test(`${name}: finds a hash by its beginning, as git shortens it`, async () => {
    const hash = '3b18e512dba79e4c8300dd08aeb37f8e728b8dad'
    const yes = [hash, '3b18e51', '3b18e512dba7', 'commit 3B18E51']
    await finds({ metadata: `commit: ${hash}` }, yes, ['3b18e52', 'e512dba', '"3b18e51"'])
  })

  test(`${name}: finds ids only as a whole`, async () => {
    const id = randomUUID()
    const hash = 'ab12'.repeat(16)
    const fields = { name: 'x', ids: `${id} ${hash} aB3dE5fG7` }
    const yes = [id, id.toUpperCase(), id.replaceAll('-', ''), hash, 'aB3dE5fG7', `"${id}"`]
    await finds(fields, yes, [id.slice(0, 8), hash.slice(0, 32), 'aB3dE5', 'dE5fG7'])
  })

  test(`${name}: finds scripts without spaces by any two characters`, async () => {
    const fields = { name: '细胞凋亡 IL6基因 ミトコンドリア' }
    await finds(
      fields,
      ['细胞', '胞凋', '细胞凋亡', '凋', '基因', 'il6', 'コンド'],
      ['胞细', '凋细'],
    )
  })

  test(`${name}: finds English words by their stem`, async () => {
    await finds({ name: 'running cells' }, ['runs', 'run', 'cell'], ['"runs"', '"cell"'])
    await finds({ name: 'run' }, ['running'], ['"running"'])
  })

  test(`${name}: all terms must match, or one of them`, async () => {
    await index([documentOf({ name: 'apples pears' }), documentOf({ name: 'pears' })])
    assert.deepEqual(await names('apples pears'), ['apples pears'])
    assert.deepEqual(await names('pears plums'), [])
    assert.deepEqual(await names('apples pears', { match: 'any' }), ['apples pears', 'pears'])
    assert.deepEqual(await names('apples plums', { match: 'any' }), ['apples pears'])
  })

  test(`${name}: the last word may be unfinished`, async () => {
    const yes = ['expression heat', 'expression hea', 'heatma']
    await finds({ name: 'expression heatmap' }, yes, ['heat express', 'expr heatmap', '"heatma"'])
  })

  test(`${name}: a phrase is found word by word`, async () => {
    const fields = { name: 'the quick brown fox', description: 'jumps over' }
    const yes = ['"quick brown"', '"the quick brown fox"', '"Quick, brown!"', 'fox "quick brown']
    await finds(fields, yes, ['"brown quick"', '"quick fox"', '"fox jumps"'])
  })

  test(`${name}: leaves out what has an unwanted word`, async () => {
    await index([documentOf({ name: 'apples red' }), documentOf({ name: 'apples green' })])
    assert.deepEqual(await names('apples -red'), ['apples green'])
    assert.deepEqual(await names('apples -"apples red"'), ['apples green'])
    assert.deepEqual(await names('apples plums -green', { match: 'any' }), ['apples red'])
  })

  test(`${name}: forgives one typing error in a word of five letters`, async () => {
    const typed = ['expresion', 'expresssion', 'exprssion', 'expression', 'exprexsion', 'xpression']
    const swapped = ['exrpession heatmap', 'heatmap exrpession', 'haetmap', 'heatmaq expression']
    const no = ['exprionss', 'hetamp', '"expresion"', 'clel', 'H3K72me3']
    await finds({ name: 'expression heatmap cell H3K27me3' }, [...typed, ...swapped], no)
  })

  test(`${name}: looks for typing errors only if nothing matches`, async () => {
    await index([documentOf({ name: 'heatmap' }), documentOf({ name: 'heatmop' })])
    assert.deepEqual(await names('heatmap'), ['heatmap'])
    assert.deepEqual((await names('heatmip')).sort(), ['heatmap', 'heatmop'])
    assert.deepEqual((await names('heatmip', { offset: 1, limit: 5 })).length, 1)
    assert.deepEqual(await names('heatmap', { offset: 1 }), [])
  })

  test(`${name}: accepts any text`, async () => {
    const odd = ['\0', '\ud800x', "a'b\\c", '&|!():*<->', '😀', '\u202e', 'ﷺ'.repeat(100)]
    const documents = odd.map((text) => documentOf({ name: `apples ${text}`, text, code: text }))
    await index(documents)
    assert.equal((await find('apples', { limit: 20 })).length, odd.length)
    for (const text of odd) {
      for (const match of ['all', 'any'] as const)
        await find(`${text} "${text}" -${text}`, { match, withHighlights: true })
    }
  })
}
