import MarkdownIt from 'markdown-it'

// What is nested deeper is no text that anybody reads.
const nestingMax = 20
const markdown = new MarkdownIt('commonmark', { maxNesting: nestingMax })

const usernameCharsMax = 150
// `@` within a word belongs to an address of mail or of a page; what ends a sentence, to no name.
const mention = /(?<![\p{L}\p{M}\p{N}_./@+-])@([\w.@+-]*\w)/gu

/**
 * The usernames that a text mentions as `@name`: in lower case, each once, in the order of their appearance.
 * Whether there are such users is not known here. Code, autolinks, HTML tags, images and where links lead to
 * mention nobody.
 */
export function mentionsIn(content: string): string[] {
  const names = new Set<string>()
  for (const text of textsOf(content)) {
    for (const [, name = ''] of text.matchAll(mention)) {
      if (name.length <= usernameCharsMax) names.add(name.toLowerCase())
    }
  }
  return [...names]
}

/** What people read as words. */
function* textsOf(content: string): Generator<string> {
  for (const { children } of markdown.parse(content, {})) {
    let isAutolink = false
    for (const { type, info, content: text } of children ?? []) {
      if (type === 'link_open') isAutolink = info === 'auto'
      else if (type === 'link_close') isAutolink = false
      else if (type === 'text' && !isAutolink) yield text
    }
  }
}
