/** Undefined if the text is no JSON. */
export function parsedJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Each level indents the lines below it, so the length of the result grows with the depth. */
const depthMax = 100

/** JSON with one value on each line. Undefined if the text is no JSON, or nested too deeply. */
export function formattedJson(text: string): string | undefined {
  const json = depthOf(text) <= depthMax ? parsedJson(text) : undefined
  return json && `${JSON.stringify(json.value, null, 2)}\n`
}

/** At least the depth of a JSON text: it also counts brackets in strings. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const char of text) {
    if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth)
    else if (char === ']' || char === '}') depth--
  }
  return deepest
}
