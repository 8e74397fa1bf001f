/** Takes the files that are dropped on the page. */
export class Dropper {
  constructor(onFiles: (files: File[]) => void) {
    const mark = (isOver: boolean) => document.body.classList.toggle('dropping', isOver)
    document.addEventListener('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      mark(true)
    })
    document.addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) mark(false)
    })
    document.addEventListener('drop', async (event) => {
      mark(false)
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      const files = await filesIn(event.dataTransfer)
      if (files.length > 0) onFiles(files)
    })
  }
}

/** The files, and those in folders; not those in the folders of folders. */
async function filesIn({ items }: DataTransfer): Promise<File[]> {
  // Before the first await: the list is empty afterwards.
  const dropped = [...items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const lists = await Promise.all(
    dropped.map(async ({ entry, file }) => {
      if (entry?.isDirectory) return filesOf(entry as FileSystemDirectoryEntry)
      return file ? [file] : []
    }),
  )
  return lists.flat()
}

async function filesOf(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader()
  const files: File[] = []
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (entries.length === 0) return files
    const found = entries.filter(({ isFile }) => isFile) as FileSystemFileEntry[]
    files.push(...(await Promise.all(found.map(fileOf))))
  }
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))
