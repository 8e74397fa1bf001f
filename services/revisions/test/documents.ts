/** A PDF with one page. The cross-reference table is missing, so that readers rebuild it. */
export function pdf(
  content: string,
  { box = '0 0 300 200', page = '', objects = '' } = {},
): Buffer {
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
  return Buffer.from(
    `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R
  /Resources << /Font << /F ${font} >> ${page} >> >> endobj
4 0 obj << /Length ${content.length} >> stream
${content}
endstream endobj
${objects}
trailer << /Root 1 0 R >>
%%EOF`,
    'latin1',
  )
}

export const eps = (program: string, box = '0 0 300 200'): Buffer =>
  Buffer.from(`%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: ${box}\n%%EndComments\n${program}\n`)

/** A form that a page can draw, with its resources. */
export const form = (name: number, resources: string, content: string): string =>
  `${name} 0 obj << /Type /XObject /Subtype /Form /BBox [0 0 300 200] /Resources << ${resources} >>
    /Length ${content.length} >> stream\n${content}\nendstream endobj\n`
export const drawing = (name: number): string => `/XObject << /X ${name} 0 R >>`

/** A page that takes hours: each form draws the previous one ten times. */
export function endlessPdf(): Buffer {
  const forms = Array.from({ length: 9 }, (_, n) =>
    form(n + 11, drawing(n + 10), '/X Do '.repeat(10)),
  )
  const leaf = form(10, '', '0 0 300 200 re f')
  return pdf('/X Do', { page: drawing(19), objects: leaf + forms.join('') })
}
