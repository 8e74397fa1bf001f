import { type DefaultTreeAdapterTypes, parse } from 'parse5'

export type Document = DefaultTreeAdapterTypes.Document
type ParsedNode = DefaultTreeAdapterTypes.ChildNode | Document
export type Element = DefaultTreeAdapterTypes.Element

const isElement = (node: ParsedNode): node is Element => 'tagName' in node
const childrenOf = (node: ParsedNode) => ('childNodes' in node ? node.childNodes : [])

/** Parses markup like a browser. */
export const documentOf = (markup: string): Document => parse(markup)

/** All descendants of a node, in document order. */
export function* nodesIn(top: ParsedNode): Generator<ParsedNode> {
  for (const node of childrenOf(top)) {
    yield node
    yield* nodesIn(node)
  }
}

export const elementsIn = (top: ParsedNode): Element[] => [...nodesIn(top)].filter(isElement)

export const attributeOf = ({ attrs }: Element, wanted: string): string | undefined =>
  attrs.find(({ name }) => name === wanted)?.value

export const textOf = (top: ParsedNode): string =>
  [...nodesIn(top)].map((node) => ('value' in node ? node.value : '')).join('')
