/** Seiten, Bilder, Vergleich. */
import type { viewer as english } from '../en/viewer.ts';

export const viewer: Readonly<Record<keyof typeof english, string>> = {
  'viewer.opening': 'Wird geöffnet',
  'viewer.tools': 'Werkzeuge der Anzeige',
  'viewer.pages': 'Seiten des Dokuments',
  'viewer.picture.label': 'Das Bild',
  'viewer.picture': 'Das Ergebnis: ein Bild von {width} mal {height} Pixeln',
  'viewer.pixels': '{width} × {height} px',
  'viewer.strip': 'Seitenübersicht',
  'viewer.strip.pages': 'Seiten',
  'viewer.strip.outline': 'Gliederung',
  'viewer.page.number': 'Seite, von {pages}',
  'viewer.page.of': 'Seite {page}',
  'viewer.page.before': 'Vorige Seite',
  'viewer.page.after': 'Nächste Seite',
  'viewer.page.first': 'Erste Seite',
  'viewer.page.last': 'Letzte Seite',
  'viewer.page.broken': 'Seite {page} lässt sich nicht zeichnen.',
  'viewer.link': 'Verweis auf eine Stelle in diesem Dokument',
  'viewer.link.copied': 'Kopiert: {url}',
  'viewer.zoom': 'Vergrößerung',
  'viewer.zoom.in': 'Vergrößern',
  'viewer.zoom.out': 'Verkleinern',
  'viewer.zoom.width': 'Ganze Breite',
  'viewer.zoom.page': 'Ganze Seite',
  'viewer.zoom.real': 'Originalgröße',
  'viewer.save': 'Herunterladen',
  'viewer.encrypted': 'Verschlüsselt',
  'viewer.password.title': 'Dieses PDF ist verschlüsselt',
  'viewer.password.sentence':
    'Geben Sie das Kennwort ein, mit dem es erzeugt wurde (user_password oder owner_password).',
  'viewer.password.label': 'Kennwort',
  'viewer.password.wrong': 'Das ist nicht das richtige Kennwort.',
  'viewer.password.open': 'Öffnen',
  'viewer.broken.title': 'Dieses PDF lässt sich nicht anzeigen',
  'viewer.broken.sentence':
    'Es ist beschädigt oder von einer Art, die diese Anzeige nicht kennt. Vielleicht öffnet es ein anderes Programm.',
  'viewer.unshown.title': 'Keine Vorschau für dieses Format',
  'viewer.unshown.sentence':
    'Das Bild ist fertig, aber Browser zeigen {type} nicht an. Laden Sie es herunter, um es anzusehen.',
  'viewer.large.title': 'Zu groß für die Anzeige',
  'viewer.large.sentence':
    'Das Ergebnis hat {size}. Laden Sie es herunter und öffnen Sie es mit einem eigenen Programm.',
};
