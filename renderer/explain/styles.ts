/** The style sheets of the explanation. */
import './explain.css';
import './tables.css';
import './sections.css';
