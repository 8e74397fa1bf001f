import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noRules, type Rules } from './git-rules.js'
import { isIncluded, repositoryName, wantedOf } from './git-wanted.js'

const fileOf = (path: string) => ({ path, blobId: `blob of ${path}`, sizeBytes: 1 })

/** What is wanted of these paths, in short. */
function found(paths: string[], rules: Partial<Rules> = {}, rootAnalysis?: string) {
  const all = { ...noRules, ...rules }
  const patterns = [all]
  const files = paths.map(fileOf)
  const included = files.filter(({ path }) => isIncluded(path, patterns))
  const { wanted, refused } = wantedOf(included, files, { rules: all, patterns, rootAnalysis })
  const figures = Object.fromEntries(
    wanted
      .filter(({ kind }) => kind === 'figure')
      .map(({ path, content, links }) => [
        path,
        [...content.files.map((file) => `${file.role} ${file.path}`), ...links],
      ]),
  )
  const assets = wanted.filter(({ kind }) => kind === 'asset').map(({ path }) => path)
  return { figures, assets, refused: refused.map(({ path }) => path), wanted }
}

test('files that are alike up to the first dot are one figure, in each folder', () => {
  const { figures, assets } = found([
    'a/means.png',
    'a/means.vl.svg',
    'a/means.py',
    'a/means.csv',
    'a/means.md',
    'b/means.png',
  ])
  assert.deepEqual(figures, {
    'a/means': [
      'image a/means.png',
      'image a/means.vl.svg',
      'code a/means.py',
      'description a/means.md',
      'a/means.csv',
    ],
    'b/means': ['image b/means.png'],
  })
  assert.deepEqual(assets, ['a/means.csv'])
})

test('code that is alone in its folder belongs to all figures there that have none', () => {
  const paths = [
    'a/one.png',
    'a/two.png',
    'a/two.R',
    'a/plot_all.py',
    'b/three.png',
    'b/x.py',
    'b/y.py',
  ]
  assert.deepEqual(found(paths).figures, {
    'a/one': ['image a/one.png'],
    'a/two': ['image a/two.png', 'code a/two.R'],
    'b/three': ['image b/three.png'],
  })
  assert.deepEqual(found(['a/one.png', 'a/two.png', 'a/plot.py']).figures, {
    'a/one': ['image a/one.png', 'shared_code a/plot.py'],
    'a/two': ['image a/two.png', 'shared_code a/plot.py'],
  })
})

test('programs, texts and files of tools are not imported', () => {
  const paths = [
    'README.md',
    'setup.py',
    'LICENSE',
    'package.json',
    'node_modules/a/logo.png',
    '.github/logo.png',
    '.hidden.png',
    'Makefile',
    'docs/__pycache__/a.png',
  ]
  assert.deepEqual(found(paths).figures, {})
  assert.deepEqual(found(paths).assets, [])
})

test('patterns select and leave out', () => {
  const paths = ['plots/a.png', 'plots/draft/b.png', 'other/c.png']
  const rules = { include: ['plots'], exclude: ['draft/'] }
  assert.deepEqual(Object.keys(found(paths, rules).figures), ['plots/a'])
})

test('a rule names code and data, also outside of the included paths, but not excluded ones', () => {
  const paths = ['plots/a.png', 'plots/a.py', 'src/fig.py', 'data/x.csv', 'secret/y.csv']
  const { figures, assets, refused, wanted } = found(paths, {
    include: ['plots'],
    exclude: ['secret'],
    figures: [
      {
        path: 'plots/a.png',
        name: 'Figure 1',
        code: ['src/fig.py'],
        data: ['data/x.csv', 'secret/y.csv', 'data/missing.csv'],
        description: 'What it shows.',
      },
      { path: 'plots/none.png' },
    ],
  })
  assert.deepEqual(figures, { 'plots/a': ['image plots/a.png', 'code src/fig.py', 'data/x.csv'] })
  assert.deepEqual(assets, ['data/x.csv'])
  assert.deepEqual(refused, ['plots/none.png', 'secret/y.csv', 'data/missing.csv'])
  const figure = wanted.find(({ kind }) => kind === 'figure')
  assert.deepEqual([figure?.name, figure?.content.description], ['Figure 1', 'What it shows.'])
})

test('in a workspace the first folder is the analysis', () => {
  const { wanted } = found(['paper/figs/a.png', 'b.png', 'paper/x.csv'], {}, 'plots')
  assert.deepEqual(
    wanted.map(({ analysis, name }) => [analysis, name]),
    [
      ['paper', 'x.csv'],
      ['', 'b'],
      ['paper', 'figs/a'],
    ],
  )
})

test('a repository is named by the end of its URL', () => {
  assert.equal(repositoryName('https://host/group/plots.git'), 'plots')
  assert.equal(repositoryName('git@host:plots.git'), 'plots')
  assert.equal(repositoryName('ssh://git@host:22/~me/My%20plots/'), 'My%20plots')
})
