import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexedIds, indexedWords } from './words.js'

const words = (text: string) => {
  const { parts, forms } = indexedWords(text, 100)
  return [parts, forms.split(' ').sort().join(' ')]
}

test('a word is written as its parts, and joined', () => {
  assert.deepEqual(words('IL-6 p53'), ['il 6 p 53', 'il6 p53'])
  assert.deepEqual(words('10.1038/s41'), ['10 1038 s 41', '101038s41 1038s41 s41'])
})

test('Greek letters have their Latin names, stems a mark of their own', () => {
  assert.deepEqual(words('Δψm'), ['delta psi m', 'deltapsim psim'])
  assert.deepEqual(words('Running'), ['running', '0stemrun'])
})

test('characters of scripts without spaces are found in pairs, and each by itself', () => {
  assert.deepEqual(words('细胞凋亡'), ['细胞 胞凋 凋亡 亡', '亡 凋 细 胞'])
})

test('only letters and digits remain of any text', () => {
  const odd = 'a`b" && c:=[d] || (e) -f *\0\ud800 & <mark>'
  for (const text of words(odd)) assert.match(text, /^[\p{L}\p{N}\p{M} ]*$/u)
})

test('the words after the limit are left out', () => {
  assert.equal(indexedWords('one two three', 2).parts, 'one two')
})

test('ids are joined', () => {
  assert.equal(indexedIds('AB-12 aB3dE5fG7', 10), 'ab12 ab3de5fg7')
})
