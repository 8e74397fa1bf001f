/** A part of what is known of a figure. `kind` and `name` describe it. */
export type DataPart = { kind: string; name?: string; text: string }

/** Marks a text of a user as data. The text cannot close the mark. */
export function marked({ kind, name, text }: DataPart): string {
  const label = name ? ` name=${JSON.stringify(oneLine(name))}` : ''
  return `<figure_data part="${kind}"${label}>\n${escaped(text)}\n</figure_data>`
}

const nameCharsMax = 200

const oneLine = (name: string) =>
  name
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .replaceAll('>', '›')
    .slice(0, nameCharsMax)

/** Also removes characters that are invisible to people, with which instructions can be hidden. */
const escaped = (text: string) =>
  text
    .replace(/<(\/?)(figure_data)/gi, '‹$1$2')
    .replace(/[\u{E0000}-\u{E007F}\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu, '')
