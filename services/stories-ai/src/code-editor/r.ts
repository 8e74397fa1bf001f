import { createRequire } from 'node:module'
import { Language, type Node, Parser } from 'web-tree-sitter'
import type { Parsed } from './python.js'

const grammar = '@davisvaughan/tree-sitter-r/tree-sitter-r.wasm'
const loaders = new Set(['library', 'require', 'requireNamespace', 'loadNamespace'])

/** Loads the parser of R. */
export async function openR(): Promise<(code: string) => Parsed> {
  await Parser.init()
  const parser = new Parser()
  parser.setLanguage(await Language.load(createRequire(import.meta.url).resolve(grammar)))
  return (code) => {
    const tree = parser.parse(code)
    if (!tree) throw new Error('the parser of R returned no tree')
    try {
      const error = tree.rootNode.hasError ? firstError(tree.rootNode) : undefined
      if (error)
        return { problem: `line ${error.startPosition.row + 1}: invalid syntax`, imports: [] }
      return { imports: packagesIn(tree.rootNode) }
    } finally {
      tree.delete()
    }
  }
}

function firstError(root: Node): Node {
  let node = root
  for (;;) {
    const inner = node.children.find((child) => child?.hasError)
    if (!inner) return node
    node = inner
  }
}

/** The packages of `library(x)` and `x::y`. */
function packagesIn(root: Node): string[] {
  const packages = new Set<string>()
  for (const node of root.descendantsOfType('namespace_operator')) {
    const name = node?.childForFieldName('lhs')?.text
    if (name) packages.add(name)
  }
  for (const node of root.descendantsOfType('call')) {
    if (!loaders.has(node?.childForFieldName('function')?.text ?? '')) continue
    const first = node?.childForFieldName('arguments')?.namedChildren[0]?.childForFieldName('value')
    if (first) packages.add(first.text.replace(/^["']|["']$/g, ''))
  }
  return [...packages]
}
