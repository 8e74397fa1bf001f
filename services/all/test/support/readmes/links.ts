import { join } from 'node:path'

type Repository = {
  exists(path: string): boolean
  /** The text of a Markdown document. */
  textOf(path: string): string | undefined
}

/** The pages that an index lists, in its order: `1. [Title](page.md): …`. */
export const pagesOf = (folder: string, index: string): string[] =>
  [...index.matchAll(/^\d+\. \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(([, page = '']) =>
    join(folder, page),
  )

/** The relative links of a document that lead nowhere, as `document: target`. */
export function brokenLinks(name: string, text: string, repository: Repository): string[] {
  const links = [...prose(text).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target)
  const relative = links.filter((target) => !/^[a-z]+:/.test(target))
  return relative
    .filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? name : join(name, '..', path)
      if (!repository.exists(file)) return true
      const there = repository.textOf(file)
      return anchor !== undefined && (there === undefined || !anchorsOf(there).includes(anchor))
    })
    .map((target) => `${name}: ${target}`)
}

const anchorsOf = (text: string) =>
  [...prose(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** As GitHub makes them. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const prose = (text: string) => text.replace(/^( *)(`{3,}|~{3,})[\s\S]*?^\1\2$/gm, '')
