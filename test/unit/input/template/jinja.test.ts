import assert from 'node:assert/strict';
import { test } from 'node:test';
import nunjucks from 'nunjucks';
import { fill, notesOf, errorMessageOf, type FillOptions } from './fill.ts';

const data = {
  number: 'R-1',
  total: 1234.5,
  customer: { name: 'A & B <c>', city: 'Bonn' },
  items: [
    { name: 'pen', price: 0.5, qty: 3 },
    { name: 'ink', price: 2, qty: 1 },
  ],
};
const jinja = (template: string, options: FillOptions['options'] = {}) =>
  fill(template, { data, options: { template_engine: 'jinja', ...options } });

test('a Jinja template gives the same result as in nunjucks', () => {
  const templates = [
    '{{ number }} {{ customer.name }} {{ customer["name"] }} {{ items[0].name }} {{ 1 + 2 * 3 ** 2 }} {{ 7 // 2 }} {{ "a" ~ 1 }}',
    '{% for i in items %}{{ loop.index }}{{ loop.first }}{{ loop.last }}{{ loop.revindex }}{{ i.name }}{% else %}none{% endfor %}',
    '{% for k, v in customer %}{{ k }}={{ v }};{% endfor %}{% for a, b in [[1, 2]] %}{{ a }}{{ b }}{% endfor %}',
    '{% if total > 1000 and not (number == "x") %}a{% elif total %}b{% else %}c{% endif %}{{ "y" if total else "n" }}',
    '{% set t = 0 %}{% for i in items %}{% set t = t + i.price * i.qty %}{% endfor %}{{ t }}',
    '{% set x %}<{{ number }}>{% endset %}{{ x }}{% filter upper %}abc{% endfilter %}',
    '{% macro m(a, b="z") %}[{{ a }}{{ b }}]{% endmacro %}{{ m(1) }}{{ m(1, b=2) }}{{ m(1, 2) }}',
    '{% macro m() %}<{{ caller("q") }}>{% endmacro %}{% call(u) m() %}in {{ u }}{% endcall %}',
    '{% switch number %}{% case "R-0" %}{% case "R-1" %}one{% default %}other{% endswitch %}',
    '{{ missing is defined }} {{ number is string }} {{ 4 is even }} {{ 9 is divisibleby(3) }} {{ "pen" in ["pen"] }}',
    'a {%- if total %} b {%- endif %} {# no #} {% raw %}{{ x }}{% endraw %}{% block b %}B{% endblock %}',
    '{{ items|length }} {{ "abc"|upper }} {{ [1, 2, 3]|join("-") }} {{ missing|default("d") }} {{ "x"|replace("x", "y") }} {{ [3, 1]|sort|first }}',
  ];
  const environment = new nunjucks.Environment(null, { autoescape: false });
  for (const template of templates)
    assert.equal(jinja(template), environment.renderString(template, data), template);
});

test('template_engine=auto selects Jinja if the template has tags, and Handlebars otherwise', () => {
  assert.equal(fill('{% if total %}{{ number|lower }}{% endif %}', { data }), 'r-1');
  assert.equal(fill('{{lower number}} 100{%}', { data }), 'r-1 100{%}');
});

test('values are escaped by data_auto_escape or the escape filter', () => {
  assert.equal(jinja('{{ customer.name }}|{{ customer.name|e }}'), 'A & B <c>|A &amp; B &lt;c&gt;');
  assert.equal(
    jinja('{{ customer.name }}|{{ customer.name|safe }}', { data_auto_escape: true }),
    'A &amp; B &lt;c&gt;|A & B <c>',
  );
});

test('a missing value in a Jinja template is an error that names it with its line and column', () => {
  const problem = (template: string) =>
    errorMessageOf(template, { data, options: { template_engine: 'jinja' } });
  assert.match(problem('\n {{ customer.vat }}'), /line 2, column 5: the data has no value 'customer\.vat'/);
  assert.match(problem('{{ vat|currency("EUR") }}'), /no value 'vat'/);
  assert.match(problem('{% for x in vat %}{% endfor %}'), /line 1, column 13: .*'vat'/);
  assert.match(problem('{{ 1 + customer.a.b }}'), /'customer\.a\.b'/);
});

test('a condition on a missing value is false, and default replaces the value, without an error in Jinja', () => {
  assert.equal(
    jinja(
      '{% if vat is defined %}a{% else %}b{% endif %}{{ vat|default("c") }}{% if vat %}x{% endif %}{{ vat or "d" }}',
    ),
    'bcd',
  );
  assert.equal(jinja('[{{ vat }}{{ vat|upper }}]', { data_ignore_undefined: true }), '[]');
});

test('decimal arithmetic is exact', () => {
  assert.equal(jinja('{{ 0.1 + 0.2 }} {{ 3 * 0.1 }} {{ [0.1, 0.2]|sum }} {{ 1.1 - 1 }}'), '0.3 0.3 0.3 0.1');
});

test('data_trim_blocks removes the line break after a tag and the spaces before it', () => {
  assert.equal(jinja('a\n  {% if total %}\nb\n  {% endif %}\nc', { data_trim_blocks: true }), 'a\nb\nc');
});

test('data_variable_markers sets the markers of variables, and other markers are text', () => {
  const template = '{% for i in items %}[[ i.name|upper -]] <<i["qty"]>>{{ i.name }};{% endfor %}';
  assert.equal(
    jinja(template, { data_variable_markers: 'square' }),
    'PEN<<i["qty"]>>{{ i.name }};INK<<i["qty"]>>{{ i.name }};',
  );
  assert.equal(
    jinja(template, { data_variable_markers: 'angle' }),
    '[[ i.name|upper -]] 3{{ i.name }};[[ i.name|upper -]] 1{{ i.name }};',
  );
});

test('template_engine=auto selects Jinja if data_variable_markers are not the standard ones', () => {
  const options = { data_variable_markers: 'angle' } as const;
  assert.equal(fill('<p><<number|lower>></p> {{x}}', { data, options }), '<p>r-1</p> {{x}}');
  assert.match(notesOf('<< number >>', { data, options }).join(), /read as jinja/);
});

test('a missing value is reported with its position under custom markers too', () => {
  const options = { data_variable_markers: 'square' } as const;
  assert.match(
    errorMessageOf('\n[[ vat ]]', { data, options }),
    /line 2, column 4: the data has no value 'vat'/,
  );
});

test('Jinja2 features that nunjucks lacks work, such as items(), namespace and negative indexes', () => {
  assert.equal(jinja('{% for k, v in customer.items() %}{{ k }},{% endfor %}'), 'name,city,');
  assert.equal(
    jinja(
      '{% set ns = namespace(t=0) %}{% for i in items %}{% set ns.t = ns.t + i.qty %}{% endfor %}{{ ns.t }}',
    ),
    '4',
  );
  assert.equal(
    jinja('{{ items[-1].name }} {{ None is none }} {{ customer.get("x", "y") }} {{ number.lower() }}'),
    'ink true y r-1',
  );
});

test('an invalid Jinja template is refused with line and column', () => {
  assert.match(errorMessageOf('a\n{% if x'), /line 2, column 8/);
  assert.match(errorMessageOf('{% if x %}\nabc'), /line 2, column 4: expected elif, else, or endif/);
  assert.match(errorMessageOf('{% nope %}'), /line 1, column 4: unknown block tag: nope/);
  assert.match(errorMessageOf('{% set x = 1|nope %}'), /there is no function 'nope'/);
});

test('a template cannot read files', () => {
  for (const tag of [
    'include "/etc/passwd"',
    'extends "/etc/passwd"',
    'import "/etc/passwd" as x',
    'from "/etc/passwd" import x',
  ])
    assert.match(errorMessageOf(`{% ${tag} %}`), /is not supported: a template is one file/, tag);
});

test('syntax that nunjucks accepts by mistake is reported with its position', () => {
  for (const expression of ['x[)', '.(x)', 'min([])', 'namespace(x=1)[{}]', '1 in 2'])
    assert.match(
      errorMessageOf(`\n{% set y = 1 %}{{ ${expression} }}`),
      /at line 2, column \d+: /,
      expression,
    );
  assert.equal(fill('{% set y = 1 %}{{ max([])|default("none") }}'), 'none');
  assert.equal(fill('{% set y = 1 %}{{ half|urlencode }}', { data: '{"half": "a\\ud800"}' }), 'a%EF%BF%BD');
});
