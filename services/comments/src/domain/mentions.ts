import MarkdownIt from 'markdown-it'

// Deeper nesting is not meant to be read, and costs time to parse.
const nestingMax = 20
const markdown = new MarkdownIt('commonmark', { maxNesting: nestingMax })

const usernameCharsMax = 150
// An `@` within a word belongs to an e-mail address or a URL. Punctuation at the end belongs to the sentence.
const mention = /(?<![\p{L}\p{M}\p{N}_./@+-])@([\w.@+-]*\w)/gu

/**
 * The distinct usernames that a text mentions as `@name`, in lower case, in order of appearance. They may not exist.
 * Ignores code, autolinks, HTML tags, images and link targets.
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

/** The visible text of a Markdown document. */
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
