import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesContract } from '@figbase/kit/testing'
import { sourcesIn, templatesIn, textsIn } from './page-texts.js'

messagesContract({
  messages: new URL('../../messages/', import.meta.url),
  sources: new URL('../../src/', import.meta.url),
})

test('no page has texts of its own', () => {
  const found = sourcesIn('src/pages').flatMap(({ file, text }) =>
    templatesIn(text)
      .flatMap(textsIn)
      .map((words) => `${file}: ${words}`),
  )
  assert.deepEqual(found, [])
})

test('the search for texts finds them, but not values and code', () => {
  const source = `const a = html\`<p class="b">\${t('c')} <b>Bold</b>\${more ? html\`<i>nested</i>\` : ''}</p>\`
const d = html\`<img alt="A figure" src="x"><code>curl</code>\${{ e: 'f}' }}\`
const text = \`plain\``
  assert.deepEqual(templatesIn(source).flatMap(textsIn), ['nested', 'Bold', 'A figure'])
})
