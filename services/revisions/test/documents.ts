/** A PDF with one page: what is drawn, and what else it has. The table of its objects is left for readers to mend. */
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
