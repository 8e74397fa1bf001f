import { type Group, groupFiles, groupOf } from '@figbase/client'
import { fileList } from './file-list.js'
import { bytesOf, type Destination, publishGroups } from './publish-groups.js'

/** The texts of the page; `{}` stands for a value. */
export type Texts = Record<
  'image' | 'code' | 'data' | 'description' | 'remove' | 'unused' | 'sent' | 'stopped' | 'none',
  string
>

const nameOf = (file: File) => file.name

/** The form that publishes: its files, and the progress of their upload. */
export class PublishForm {
  readonly #form: HTMLFormElement
  readonly #to: Destination
  readonly #texts: Texts
  #files: File[] = []
  #sending: AbortController | undefined

  /** `onCancel`: what the button does while nothing is sent; without it, there is no such button. */
  constructor(form: HTMLFormElement, onCancel?: () => void) {
    this.#form = form
    const { kind, id = '', texts = '{}' } = form.dataset
    this.#to = { kind: kind as Destination['kind'], id }
    this.#texts = JSON.parse(texts)
    form.hidden = false
    form.querySelector('.inputs')?.remove()
    const area = this.#get<HTMLElement>('.drop')
    area.hidden = false
    const chooser = this.#get<HTMLInputElement>('.drop input')
    chooser.addEventListener('change', () => {
      this.add([...(chooser.files ?? [])])
      chooser.value = ''
    })
    this.#cancel.hidden = !onCancel
    this.#cancel.addEventListener('click', () => (this.#sending ? this.stop() : onCancel?.()))
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#publish(!onCancel)
    })
    addEventListener('beforeunload', (event) => {
      if (this.#sending) event.preventDefault()
    })
  }

  /** Files with the name of an earlier one replace it. */
  add(files: File[]): void {
    const names = new Set(files.map(nameOf))
    this.#files = [...this.#files.filter(({ name }) => !names.has(name)), ...files]
    this.#show()
  }

  stop(): void {
    this.#sending?.abort()
  }

  #get<E extends Element>(selector: string): E {
    return this.#form.querySelector(selector) as E
  }

  get #cancel() {
    return this.#get<HTMLButtonElement>('button[type=button].secondary')
  }

  #groups(): Group<File>[] {
    if (this.#to.kind === 'analysis') return groupFiles(this.#files, nameOf)
    return this.#files.length > 0 ? [groupOf('', this.#files, nameOf)] : []
  }

  #show() {
    const list = fileList(this.#groups(), this.#files, this.#texts, (file) => {
      this.#files = this.#files.filter((one) => one !== file)
      this.#show()
      this.#get<HTMLInputElement>('.drop input').focus()
    })
    this.#get('.files').replaceChildren(...list)
  }

  async #publish(hidesCancel: boolean) {
    if (this.#sending) return
    const groups = this.#groups()
    if (groups.length === 0) return this.#fail(this.#texts.none)
    this.#fail('')
    this.#sending = new AbortController()
    this.#cancel.hidden = false
    const total = groups.reduce((sum, group) => sum + bytesOf(group), 0)
    this.#report(0, total)
    const { signal } = this.#sending
    const description = this.#form.querySelector('textarea')?.value ?? ''
    try {
      const page = await publishGroups(this.#to, groups, {
        description,
        signal,
        onSent: (bytes) => this.#report(bytes, total),
        onPublished: ({ image, code, data, description }) => {
          const published = new Set([
            ...image,
            ...code,
            ...data,
            ...(description ? [description] : []),
          ])
          this.#files = this.#files.filter((file) => !published.has(file))
        },
      })
      this.#sending = undefined
      location.assign(page)
    } catch (error) {
      this.#sending = undefined
      this.#get<HTMLElement>('.sending').hidden = true
      this.#cancel.hidden = hidesCancel
      this.#show()
      if (!signal.aborted) this.#fail(this.#texts.stopped.replace('{}', reasonOf(error)))
    }
  }

  #report(bytes: number, total: number) {
    const sending = this.#get<HTMLElement>('.sending')
    sending.hidden = false
    const bar = this.#get<HTMLProgressElement>('progress')
    const percent = total > 0 ? Math.floor((bytes / total) * 100) : 0
    bar.max = 100
    bar.value = percent
    // A screen reader says each change: only some are worth it.
    const text = this.#texts.sent.replace('{}', String(percent - (percent % 10)))
    const status = this.#get<HTMLElement>('[role=status]')
    if (status.textContent !== text) status.textContent = text
  }

  #fail(text: string) {
    this.#form.querySelector('.problem')?.remove()
    if (text === '') return
    const note = document.createElement('p')
    note.className = 'problem'
    note.role = 'alert'
    note.textContent = text
    this.#form.prepend(note)
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
