import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { unavailable } from '@figbase/kit/errors'
import { NodeType } from '@figbase/proto/catalog'
import { type Comments, inBatches, newComment, readPage, startWith } from './comments-page.js'
import { attributeOf, type Element, textOf } from './dom.js'

const linkTo = (address: string) => `<a href="${address}" rel="nofollow ugc noopener noreferrer">`
const pre = '<pre tabindex="0" role="region" aria-label="Code"><code>'
const scroll = '<div class="scroll" tabindex="0" role="region" aria-label="Table">'
/** Without the links to what the reader may do. */
const trimmed = (element: Element) =>
  textOf(element)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/ ?(React[^a-z]*)?Answer( ?Edit ?Delete)?$/, '')
const at = '21 September 2026 at 14:13 UTC'

for (const [segment, type] of [
  ['figure', NodeType.FIGURE],
  ['r', NodeType.FIGURE_REVISION],
  ['revision', NodeType.FIGURE_REVISION],
  ['asset', NodeType.ASSET],
  ['asset_revision', NodeType.ASSET_REVISION],
] as const) {
  test(`the page of ${segment} ends with its comments`, async () => {
    const id = randomUUID()
    const asked: unknown[] = []
    await using edge = await startWith(({ targetId, targetType }) => {
      asked.push([targetId, targetType])
      return inBatches([newComment('It is *warm*.')])
    })
    const { markup, items } = await readPage(edge, segment, id)
    // Both the comments and their number.
    assert.deepEqual(asked, [
      [id, type],
      [id, type],
    ])
    assert.deepEqual(items.map(trimmed), [`ada · ${at} It is warm.`])
    assert.match(markup, /<\/section><\/article>/)
  })
}

test('shows answers below their comment, indented up to a maximum', async () => {
  const first = newComment('first')
  const second = newComment('second', { author: 'bob' })
  const chain = [first]
  for (const author of ['b', 'c', 'd', 'e', 'f']) {
    const parentCommentId = chain.at(-1)?.id ?? ''
    chain.push(newComment(`of ${author}`, { author, parentCommentId }))
  }
  const late = newComment('late', { author: 'z', parentCommentId: first.id })
  const ofSecond = newComment('of second', { author: 'y', parentCommentId: second.id })
  const [root, ...answers] = chain
  await using edge = await startWith(() =>
    inBatches([root ?? first, second], [...answers, ofSecond, late]),
  )
  const { items } = await readPage(edge)
  assert.deepEqual(
    items.map((one) => [attributeOf(one, 'class'), trimmed(one)]),
    [
      [undefined, `ada · ${at} first`],
      ['answer-1', `b to ada · ${at} of b`],
      ['answer-2', `c to b · ${at} of c`],
      ['answer-3', `d to c · ${at} of d`],
      ['answer-3', `e to d · ${at} of e`],
      ['answer-3', `f to e · ${at} of f`],
      ['answer-1', `z to ada · ${at} late`],
      [undefined, `bob · ${at} second`],
      ['answer-1', `y to bob · ${at} of second`],
    ],
  )
  assert.equal(attributeOf(items[0] as Element, 'id'), `comment-${first.id}`)
})

test('shows an answer to a missing comment as top-level comment', async () => {
  await using edge = await startWith(() =>
    inBatches([newComment('left', { parentCommentId: randomUUID() })]),
  )
  const { items } = await readPage(edge)
  assert.deepEqual(items.map(trimmed), [`ada · ${at} left`])
})

test('marks edited and deleted comments', async () => {
  const deleted = newComment('', { isDeleted: true })
  const answer = newComment('why?', { author: 'bob', parentCommentId: deleted.id, isEdited: true })
  await using edge = await startWith(() => inBatches([deleted, answer]))
  const { items } = await readPage(edge)
  assert.deepEqual(items.map(trimmed), [
    `ada · ${at} This comment was deleted.`,
    `bob to ada · ${at} · edited why?`,
  ])
})

test('without comments, shows only the link to write one', async () => {
  await using edge = await startWith(() => inBatches())
  const { items, markup } = await readPage(edge)
  assert.deepEqual(items, [])
  assert.match(
    markup,
    /<a class="button secondary" href="\/revision\/[^/]+\/comment\/">Write a comment/,
  )
})

test('shows the oldest of many comments, and their total number', async () => {
  const env = { PAGE_ITEMS_MAX: '3' }
  const part = () => Array.from({ length: 1000 }, (_, i) => newComment(`number ${i}`))
  await using edge = await startWith(() => inBatches(part(), part()), { env })
  const { items, document } = await readPage(edge)
  assert.deepEqual(
    items.map((one) => trimmed(one).split(' UTC ')[1]),
    ['number 0', 'number 1', 'number 2'],
  )
  assert.match(textOf(document), /Showing 3 of 2,000\./)
})

test('omits only the comments that are too long', async () => {
  const env = { PAGE_COMMENT_BYTES_MAX: '16B' }
  const tooLong = 'This comment is too long to show here.'
  const comments = ['ten bytes.', 'ä'.repeat(4), 'six by', 'x']
  await using edge = await startWith(
    () => inBatches(comments.map((content) => newComment(content))),
    { env },
  )
  const { items } = await readPage(edge)
  assert.deepEqual(
    items.map((one) => trimmed(one).split(' UTC ')[1]),
    ['ten bytes.', tooLong, 'six by', tooLong],
  )
})

for (const [written, markup] of [
  [
    'It is **very** *warm*, `x < y`, ~~no~~',
    '<p>It is <strong>very</strong> <em>warm</em>, <code>x &lt; y</code>, <s>no</s></p>',
  ],
  ['one\ntwo\n\nthree', '<p>one<br>\ntwo</p>\n<p>three</p>'],
  ['# A\n## B\n###### C', '<h3>A</h3><h4>B</h4><h6>C</h6>'],
  ['- a\n- b\n\n3. c', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol start="3">\n<li>c</li>\n</ol>'],
  ['> a\n\n---', '<blockquote>\n<p>a</p>\n</blockquote>\n<hr>'],
  ['```python\n1 < 2\n```', `${pre}1 &lt; 2\n</code></pre>`],
  ['    1 < 2', `${pre}1 &lt; 2\n</code></pre>`],
  [
    'a | b\n:-: | -\n1 | 2',
    `${scroll}<table><thead>\n<tr>\n<th class="center">a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td class="center">1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table></div>`,
  ],
  ['[x](https://a.example/y)', `<p>${linkTo('https://a.example/y')}x</a></p>`],
  [
    'https://a.example a.example',
    `<p>${linkTo('https://a.example')}https://a.example</a> a.example</p>`,
  ],
  ['<mailto:a@b.example>', `<p>${linkTo('mailto:a@b.example')}mailto:a@b.example</a></p>`],
  ['![a *plot*](https://a.example/b.png)', `<p>${linkTo('https://a.example/b.png')}a plot</a></p>`],
  [
    '![](https://a.example/b.png)',
    `<p>${linkTo('https://a.example/b.png')}https://a.example/b.png</a></p>`,
  ],
  [
    '[![plot](https://a.example/b.png)](https://a.example)',
    `<p>${linkTo('https://a.example')}plot</a></p>`,
  ],
  ['[x](/sign-in/) <b>', '<p>[x](/sign-in/) &lt;b&gt;</p>'],
] as const) {
  test(`renders Markdown: ${JSON.stringify(written)}`, async () => {
    await using edge = await startWith(() => inBatches([newComment(written)]))
    const page = await readPage(edge)
    const [, shown] =
      /<div class="written" dir="auto">([\s\S]*?)<\/div>\s*<form/.exec(page.markup) ?? []
    assert.equal(shown?.trim(), markup)
  })
}

for (const [what, listComments] of [
  [
    'is unavailable',
    () => {
      throw unavailable('unavailable')
    },
  ],
  [
    'breaks off',
    async function* () {
      yield { comments: [newComment('half')] }
      throw unavailable('unavailable')
    },
  ],
  [
    'fails',
    () => {
      throw new Error('select * from secrets')
    },
  ],
  [
    'times out',
    async function* () {
      await new Promise(() => {})
      yield { comments: [] }
    },
  ],
] as const satisfies [string, () => Comments][]) {
  test(`shows the page without comments when the comments service ${what}`, async () => {
    await using edge = await startWith(listComments, { env: { CALL_TIMEOUT: '1s' } })
    const segments = ['figure', 'asset', 'r', 'asset_revision']
    const pages = await Promise.all(segments.map((segment) => readPage(edge, segment)))
    for (const { document, items } of pages) {
      assert.match(textOf(document), /Comments are temporarily unavailable\./)
      assert.doesNotMatch(textOf(document), /secrets|half/)
      assert.deepEqual(items, [])
    }
  })
}
