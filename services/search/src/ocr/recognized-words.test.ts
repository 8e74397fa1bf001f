import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recognizedText } from './recognized-words.js'

const block = (...lines: string[]) => ({
  paragraphs: [
    {
      lines: lines.map((line) => ({
        words: line.split(' ').map((word) => {
          const [text = '', confidence = '90'] = word.split('@')
          return { text, confidence: Number(confidence) }
        }),
      })),
    },
  ],
})
const limits = { confidenceMin: 60, textCharsMax: 1000 }

test('keeps lines, and drops what is uncertain or no word', () => {
  const upright = [block('Body mass@40 (g)', '— |', '4000')]
  assert.equal(recognizedText(upright, [], limits), 'Body (g)\n4000')
})

test('the turned picture adds words that are new and surely words', () => {
  const turned = [block('Body il', 'Horsepower Os 40')]
  assert.equal(recognizedText([block('Body')], turned, limits), 'Body\nHorsepower')
})

test('the text is bounded', () => {
  assert.equal(recognizedText([block('Horsepower')], [], { ...limits, textCharsMax: 5 }), 'Horse')
})
