/** Sample documents: an invoice, and the same invoice as a template with data. */

const style = `  <style>
    body { margin: 24px 32px; font: 20px/1.5 "Segoe UI", Arial, sans-serif; color: #1f2933; }
    header { display: flex; justify-content: space-between; }
    .brand { font-size: 30px; font-weight: 700; color: #00677f; }
    .quiet { color: #66727f; font-size: 17px; }
    h1 { margin: 90px 0 4px; font-size: 52px; letter-spacing: -0.02em; }
    table { width: 100%; margin: 48px 0; border-collapse: collapse; }
    th { padding: 8px 0; border-bottom: 3px solid #1f2933; font-size: 16px; }
    td { padding: 12px 0; border-bottom: 1px solid #d5dbe1; }
    th, td { text-align: right; }
    th:first-child, td:first-child { text-align: left; }
    tr { break-inside: avoid; }
    .total td { border: 0; font-size: 26px; font-weight: 700; color: #00677f; }
  </style>`;

export const sampleHtml = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Invoice 2026-0417</title>
${style}
</head>
<body>
  <header>
    <div class="brand">Northwind Press</div>
    <div class="quiet">12 Quay Street<br>Bristol BS1 4QA</div>
  </header>
  <h1>Invoice</h1>
  <p class="quiet">No. 2026-0417 · 17 April 2026 · due in 30 days</p>
  <p><strong>Ada Lovelace</strong><br>Analytical Engines Ltd<br>5 Engine Lane, London</p>
  <table>
    <tr><th>Item</th><th>Quantity</th><th>Price</th><th>Amount</th></tr>
    <tr><td>Letterpress cards</td><td>250</td><td>€0.80</td><td>€200.00</td></tr>
    <tr><td>Hand-bound notebooks</td><td>40</td><td>€12.50</td><td>€500.00</td></tr>
    <tr><td>Delivery</td><td>1</td><td>€18.00</td><td>€18.00</td></tr>
    <tr class="total"><td colspan="3">Total</td><td>€718.00</td></tr>
  </table>
  <p class="quiet">Thank you for your order.</p>
</body>
</html>
`;

export const sampleTemplate = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Invoice {{number}}</title>
${style}
</head>
<body>
  <header>
    <div class="brand">{{seller.name}}</div>
    <div class="quiet">{{seller.address}}</div>
  </header>
  <h1>Invoice</h1>
  <p class="quiet">No. {{number}} · {{date issued "long"}}</p>
  <p><strong>{{customer.name}}</strong><br>{{customer.company}}</p>
  <table>
    <tr><th>Item</th><th>Quantity</th><th>Price</th><th>Amount</th></tr>
    {{#each items}}
    <tr>
      <td>{{name}}</td><td>{{quantity}}</td>
      <td>{{currency price "EUR"}}</td><td>{{currency (multiply price quantity) "EUR"}}</td>
    </tr>
    {{/each}}
    <tr class="total"><td colspan="3">Total</td><td>{{currency total "EUR"}}</td></tr>
  </table>
  {{#if note}}<p class="quiet">{{note}}</p>{{/if}}
</body>
</html>
`;

export const sampleData = `{
  "number": "2026-0417",
  "issued": "2026-04-17",
  "seller": { "name": "Northwind Press", "address": "12 Quay Street, Bristol" },
  "customer": { "name": "Ada Lovelace", "company": "Analytical Engines Ltd" },
  "items": [
    { "name": "Letterpress cards", "quantity": 250, "price": 0.8 },
    { "name": "Hand-bound notebooks", "quantity": 40, "price": 12.5 },
    { "name": "Delivery", "quantity": 1, "price": 18 }
  ],
  "total": 718,
  "note": "Thank you for your order."
}
`;
