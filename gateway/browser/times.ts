// Shows times in the zone of the reader.

const { lang } = document.documentElement
const dates = new Intl.DateTimeFormat(lang, { dateStyle: 'long' })
const dateTimes = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeStyle: 'short' })

export function showTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
    const format = time.dataset.show === 'date' ? dates : dateTimes
    time.title = time.textContent
    time.textContent = format.format(new Date(time.dateTime))
  }
}

showTimes(document)
