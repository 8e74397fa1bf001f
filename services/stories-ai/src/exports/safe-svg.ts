import { SaxesParser, type SaxesTagNS } from 'saxes'

const svgNamespace = 'http://www.w3.org/2000/svg'
const xlinkNamespace = 'http://www.w3.org/1999/xlink'

const elements = new Set(
  `svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc style
  clipPath mask pattern marker linearGradient radialGradient stop image filter feBlend feColorMatrix
  feComponentTransfer feFuncA feFuncR feFuncG feFuncB feComposite feConvolveMatrix feDropShadow feFlood
  feGaussianBlur feMerge feMergeNode feMorphology feOffset feTile feTurbulence`.split(/\s+/),
)
/** What programs write about a drawing, which is not shown. */
const ignored = new Set(['metadata'])

const depthMax = 100

class Unsafe extends Error {}

/**
 * An untrusted SVG with only what it shows, for programs of others: without scripts, events, links, entities and anything
 * loaded from elsewhere. Undefined if it would look different then, or could take a long time to draw.
 */
export function safeSvg(text: string): string | undefined {
  try {
    return written(text)
  } catch (error) {
    if (error instanceof Unsafe) return undefined
    throw error
  }
}

function written(text: string): string {
  const parts: string[] = []
  /** The names of the open elements; undefined if the element is left out. */
  const open: (string | undefined)[] = []
  const references = createReferences()
  const isLeftOut = () => open.length > 0 && open.at(-1) === undefined
  const addText = (text: string) => {
    if (isLeftOut() || open.length === 0) return
    if (open.at(-1) === 'style') requireSafeStyle(text)
    parts.push(escaped(text))
  }
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw new Unsafe(error.message)
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentag', (tag) => {
    const { local, uri } = tag
    const isKept = !isLeftOut() && uri === svgNamespace && !ignored.has(local)
    if (open.length === 0 && !(isKept && local === 'svg')) throw new Unsafe('no SVG')
    if (open.length === depthMax) throw new Unsafe('depth')
    open.push(isKept ? local : undefined)
    if (isKept && !elements.has(local)) throw new Unsafe(local)
    if (!isKept) return
    const attributes = attributesOf(tag)
    references.open(local, attributes)
    const isRoot = open.length === 1
    const namespaces = isRoot ? ` xmlns="${svgNamespace}" xmlns:xlink="${xlinkNamespace}"` : ''
    const list = [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`)
    parts.push(`<${local}${namespaces}${list.join('')}>`)
  })
  parser.on('closetag', () => {
    const local = open.pop()
    if (!local) return
    references.close()
    parts.push(`</${local}>`)
  })
  parser.write(text).close()
  references.requireOneLevel()
  return `<?xml version="1.0" encoding="UTF-8"?>\n${parts.join('')}\n`
}

function attributesOf({ local: element, attributes }: SaxesTagNS): Map<string, string> {
  const kept = new Map<string, string>()
  for (const { local, uri, prefix, value } of Object.values(attributes)) {
    const isLink = local === 'href' && (uri === '' || uri === xlinkNamespace)
    const isSpace = prefix === 'xml' && local === 'space'
    if (isLink) {
      requireSafeLink(element, value)
      kept.set('xlink:href', value)
    } else if (isSpace || (uri === '' && !/^(on|xmlns)/i.test(local))) {
      requireSafeStyle(value.replaceAll(localUrl, ''))
      kept.set(isSpace ? 'xml:space' : local, value)
    }
  }
  return kept
}

/** `#id`, or a picture in the file itself. */
function requireSafeLink(element: string, value: string) {
  const isPicture = element === 'image' && /^data:image\/(png|jpeg);base64,[\w+/=\s]*$/.test(value)
  if (!isPicture && !/^#[^\s"'<>]+$/.test(value)) throw new Unsafe('link')
}

const localUrl = /url\(\s*(["']?)#([^"')\s\\]+)\1\s*\)/g

/** CSS that loads nothing. */
function requireSafeStyle(css: string) {
  if (/\\|@|(url|src|image|image-set|expression)\s*\(|script:|-binding/i.test(css)) {
    throw new Unsafe('style')
  }
}

/**
 * Elements that are drawn again where they are referred to, and that refer to others themselves, can take exponential
 * time.
 */
function createReferences() {
  const openIds: string[][] = []
  const targets = new Set<string>()
  const referring = new Set<string>()
  return {
    open(local: string, attributes: Map<string, string>) {
      const id = attributes.get('id')
      openIds.push(id === undefined ? [] : [id])
      // A gradient takes over the stops of another one, once.
      const isGradient = local.endsWith('Gradient')
      const found = [...attributes].flatMap(([name, value]) => {
        if (name !== 'xlink:href') return [...value.matchAll(localUrl)].map(([, , id = '']) => id)
        return value.startsWith('#') && !isGradient ? [value.slice(1)] : []
      })
      if (found.length === 0) return
      for (const id of found) targets.add(id)
      for (const id of openIds.flat()) referring.add(id)
    },
    close: () => void openIds.pop(),
    requireOneLevel() {
      for (const id of targets) if (referring.has(id)) throw new Unsafe('references')
    },
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (one) => entities[one] ?? one)
