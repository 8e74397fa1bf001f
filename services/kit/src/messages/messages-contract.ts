import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { IntlMessageFormat } from 'intl-messageformat'
import { readMessages } from './read-messages.js'

type Parsed = ReturnType<IntlMessageFormat['getAst']>

/** The values and tags of a message, each once: those of plurals are in several of its options. */
function partsOf(elements: Parsed): string[] {
  const parts = elements.flatMap((element) => {
    const { type } = element
    const name = 'value' in element && type !== 0 ? `${type} ${element.value}` : []
    const inOptions =
      'options' in element
        ? Object.values(element.options).flatMap(({ value }) => partsOf(value))
        : []
    const inTag = 'children' in element ? partsOf(element.children) : []
    return [name, inOptions, inTag].flat()
  })
  return [...new Set(parts)].sort()
}

/** A number and its plural count as the same value. */
const withoutType = (part: string) => part.replace(/^[26] /, '1 ')

const partsIn = (message: string, language: string) =>
  partsOf(new IntlMessageFormat(message, language).getAst()).map(withoutType)

/** What message files must be. Each message is used by the code in `sources`. */
export function messagesContract(folders: { messages: URL; sources: URL }): void {
  const messagesOf = readMessages<Record<string, string>>(folders.messages)
  const code = codeIn(folders.sources)
  const english = messagesOf.get('en') ?? {}
  const keys = Object.keys(english)

  test('English, German and French are there', () => {
    assert.deepEqual([...messagesOf.keys()].sort(), ['de', 'en', 'fr'])
  })

  for (const [language, messages] of messagesOf) {
    test(`the messages in ${language} have the keys of the English ones, sorted`, () => {
      assert.deepEqual(Object.keys(messages), [...keys].sort())
    })

    test(`the messages in ${language} have the values and tags of the English ones`, () => {
      for (const key of keys) {
        const [message = '', inEnglish = ''] = [messages[key], english[key]]
        assert.deepEqual(partsIn(message, language), partsIn(inEnglish, 'en'), key)
      }
    })

    test(`the messages in ${language} have no markup, no straight apostrophe and no empty text`, () => {
      for (const key of keys) assert.match(messages[key] ?? '', /^[^'&"]+$/, key)
    })
  }

  test('the French messages have no space that could break before a punctuation mark', () => {
    for (const [key, message] of Object.entries(messagesOf.get('fr') ?? {})) {
      assert.doesNotMatch(message, / [:;?!»]|« /, key)
    }
  })

  test('every message is used', () => {
    const unused = keys.filter((key) => {
      const { prefix = '', suffix = '' } =
        /^(?<prefix>\w+\.)\w+(?<suffix>\.\w+)$/.exec(key)?.groups ?? {}
      const isPartOfTemplate = suffix && code.includes(`\`${prefix}\${kind}${suffix}\``)
      return !code.includes(`'${key}'`) && !isPartOfTemplate
    })
    assert.deepEqual(unused, [])
  })
}

const codeIn = (folder: URL) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n')
