/** Invoices in XML, written by a library for e-invoices. */
import { buildXml, Profile, type FacturXInvoiceInput } from '@stackforge-eu/factur-x';

const german = (line1: string) => ({ line1, city: 'Berlin', postalCode: '10115', country: 'DE' });

const invoice: FacturXInvoiceInput = {
  document: { id: '2026-1', issueDate: '2026-11-26', buyerReference: '04011000-12345-67' },
  seller: {
    name: 'Müller & Söhne',
    address: german('Hauptstraße 1'),
    taxRegistrations: [{ id: 'DE123456789', schemeId: 'VA' }],
  },
  buyer: { name: 'Office', address: german('Nebenweg 2') },
  lines: [
    {
      id: '1',
      name: 'Consulting',
      quantity: 10,
      unitCode: 'HUR',
      unitPrice: 150,
      vatCategoryCode: 'S',
      vatRatePercent: 19,
    },
  ],
  totals: {
    lineTotal: 1500,
    taxBasisTotal: 1500,
    taxTotal: 285,
    grandTotal: 1785,
    duePayableAmount: 1785,
    currency: 'EUR',
  },
  vatBreakdown: [{ categoryCode: 'S', ratePercent: 19, taxableAmount: 1500, taxAmount: 285 }],
  payment: { meansCode: '58', iban: 'DE89370400440532013000', dueDate: '2026-12-24' },
};

/** An invoice in each profile of Factur-X, by the name of the profile in the metadata. */
export const invoices: Readonly<Record<string, string>> = {
  MINIMUM: buildXml(invoice, Profile.MINIMUM),
  'BASIC WL': buildXml(invoice, Profile.BASIC_WL),
  BASIC: buildXml(invoice, Profile.BASIC),
  'EN 16931': buildXml(invoice, Profile.EN16931),
  EXTENDED: buildXml(invoice, Profile.EXTENDED),
};

/** Returns an invoice of the profile EN 16931 with another identifier of its profile. */
export function invoiceAs(id: string): string {
  return buildXml(invoice, Profile.EN16931).replace('>urn:cen.eu:en16931:2017<', `>${id}<`);
}
